select
    shipment_id,
    order_id,
    carrier,
    handed_over_at,
    delivered_at
from {{ source('logistics', 'shipments') }}
