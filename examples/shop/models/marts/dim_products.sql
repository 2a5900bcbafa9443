select
    products.product_id,
    products.sku,
    products.product_name,
    products.category_code,
    categories.category_name,
    categories.department,
    products.list_price,
    products.unit_cost,
    history.dbt_valid_from as price_valid_from
from {{ ref('stg_products') }} as products
left join {{ ref('product_categories') }} as categories using (category_code)
left join {{ ref('products_history') }} as history
    on history.product_id = products.product_id and history.dbt_valid_to is null
