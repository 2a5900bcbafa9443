select
    orders.order_id,
    orders.customer_id,
    customers.sales_region,
    orders.order_date,
    orders.gross_amount,
    orders.charged_amount,
    orders.gross_amount - orders.charged_amount as open_amount
from {{ source('shop', 'fct_orders') }} as orders
left join {{ source('shop', 'dim_customers') }} as customers using (customer_id)
where orders.status in ('shipped', 'delivered', 'returned', 'on-hold')
