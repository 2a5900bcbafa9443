select
    charge_id,
    order_id,
    method,
    {{ cents_to_amount('amount_cents') }} as amount,
    charged_at
from {{ source('payments', 'charges') }}
