-- Revenue counts from delivery on, not from the order.
select
    order_id,
    customer_id,
    country_code,
    cast(delivered_at as date) as recognised_on,
    gross_amount
from {{ source('shop', 'fct_orders') }}
where status in ('delivered', 'returned') and delivered_at is not null
