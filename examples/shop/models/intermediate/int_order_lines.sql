select
    items.order_item_id,
    items.order_id,
    items.product_id,
    products.category_code,
    categories.department,
    items.quantity,
    items.unit_price,
    products.unit_cost,
    cast(items.quantity * items.unit_price as decimal(12, 2)) as line_amount,
    cast(items.quantity * products.unit_cost as decimal(12, 2)) as line_cost
from {{ ref('stg_order_items') }} as items
left join {{ ref('stg_products') }} as products using (product_id)
left join {{ ref('product_categories') }} as categories using (category_code)
