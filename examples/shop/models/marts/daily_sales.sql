select
    order_date,
    count(*) as order_count,
    sum(gross_amount) as gross_amount,
    sum(refunded_amount) as refunded_amount,
    sum(net_paid_amount) as net_paid_amount
from {{ ref('fct_orders') }}
where status <> 'cancelled'
group by order_date
