select
    customers.customer_id,
    customers.email,
    customers.sales_region,
    count(orders.order_id) as order_count,
    coalesce(sum(orders.net_paid_amount), 0) as lifetime_value,
    max(orders.order_date) as last_order_date
from {{ ref('dim_customers') }} as customers
left join {{ ref('fct_orders') }} as orders
    on orders.customer_id = customers.customer_id and orders.status <> 'cancelled'
group by customers.customer_id, customers.email, customers.sales_region
