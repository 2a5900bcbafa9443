select
    orders.order_id,
    orders.customer_id,
    customers.country_code,
    customers.sales_region,
    orders.status,
    orders.ordered_at,
    orders.order_date,
    orders.line_count,
    orders.gross_amount,
    orders.charged_amount,
    orders.refunded_amount,
    orders.net_paid_amount,
    orders.paid_at,
    orders.refunded_at,
    orders.carrier,
    orders.handed_over_at,
    orders.delivered_at
from {{ ref('int_orders_joined') }} as orders
left join {{ ref('dim_customers') }} as customers using (customer_id)
