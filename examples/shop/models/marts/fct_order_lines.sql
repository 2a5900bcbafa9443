select
    lines.order_item_id,
    lines.order_id,
    orders.customer_id,
    orders.order_date,
    orders.status as order_status,
    lines.product_id,
    lines.category_code,
    lines.department,
    lines.quantity,
    lines.unit_price,
    lines.line_amount,
    lines.line_cost
from {{ ref('int_order_lines') }} as lines
join {{ ref('fct_orders') }} as orders using (order_id)
