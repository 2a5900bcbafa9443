select
    refund_id,
    charge_id,
    order_id,
    method,
    {{ cents_to_amount('amount_cents') }} as amount,
    refunded_at
from {{ source('payments', 'refunds') }}
