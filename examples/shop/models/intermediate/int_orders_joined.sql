with lines as (
    select
        order_id,
        count(*) as line_count,
        sum(line_amount) as gross_amount
    from {{ ref('int_order_lines') }}
    group by order_id
)

select
    orders.order_id,
    orders.customer_id,
    orders.status,
    orders.ordered_at,
    orders.order_date,
    lines.line_count,
    lines.gross_amount,
    coalesce(payments.charged_amount, 0) as charged_amount,
    coalesce(payments.refunded_amount, 0) as refunded_amount,
    coalesce(payments.net_paid_amount, 0) as net_paid_amount,
    payments.paid_at,
    payments.refunded_at,
    shipments.carrier,
    shipments.handed_over_at,
    shipments.delivered_at
from {{ ref('stg_orders') }} as orders
left join lines using (order_id)
left join {{ ref('int_order_payments') }} as payments using (order_id)
left join {{ ref('stg_shipments') }} as shipments using (order_id)
