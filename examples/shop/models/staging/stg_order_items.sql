select
    order_item_id,
    order_id,
    product_id,
    quantity,
    {{ cents_to_amount('unit_price_cents') }} as unit_price
from {{ source('app', 'order_items') }}
