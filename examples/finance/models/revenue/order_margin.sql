with costs as (
    select order_id, sum(line_cost) as cost_amount, count(*) - count(line_cost) as lines_without_cost
    from {{ source('shop', 'fct_order_lines') }}
    group by order_id
)

select
    orders.order_id,
    cast(orders.delivered_at as date) as recognised_on,
    orders.gross_amount,
    coalesce(costs.cost_amount, 0) as cost_amount,
    orders.gross_amount - coalesce(costs.cost_amount, 0) as margin_amount,
    costs.lines_without_cost
from {{ source('shop', 'fct_orders') }} as orders
left join costs using (order_id)
where orders.status in ('delivered', 'returned') and orders.delivered_at is not null
