select
    product_id,
    sku,
    product_name,
    category_code,
    {{ cents_to_amount('price_cents') }} as list_price,
    {{ cents_to_amount('cost_cents') }} as unit_cost,
    updated_at
from {{ source('app', 'products') }}
