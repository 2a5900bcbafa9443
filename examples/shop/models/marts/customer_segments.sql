select
    customer_id,
    email,
    sales_region,
    lifetime_value,
    case
        when order_count = 0 then 'prospect'
        when lifetime_value >= 1200 then 'gold'
        when lifetime_value >= 800 then 'silver'
        else 'bronze'
    end as segment
from {{ ref('customer_lifetime_value', v=2) }}
