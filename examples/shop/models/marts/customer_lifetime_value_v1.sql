select
    customer_id,
    count(*) as order_count,
    sum(gross_amount) as lifetime_value
from {{ ref('fct_orders') }}
where status <> 'cancelled'
group by customer_id
