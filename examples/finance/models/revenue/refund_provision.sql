-- Refunds for returned orders are expected in full until they are paid out.
select
    order_id,
    cast(delivered_at as date) as provided_on,
    refunded_amount as paid_out_amount,
    gross_amount - refunded_amount as provision_amount
from {{ source('shop', 'fct_orders') }}
where status = 'returned'
