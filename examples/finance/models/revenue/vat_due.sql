select
    orders.order_id,
    orders.country_code,
    cast(orders.delivered_at as date) as due_from,
    rates.vat_rate,
    cast(orders.gross_amount - orders.gross_amount / (1 + rates.vat_rate) as decimal(12, 2)) as vat_amount
from {{ source('shop', 'fct_orders') }} as orders
left join {{ ref('vat_rates') }} as rates using (country_code)
where orders.status in ('delivered', 'returned') and orders.delivered_at is not null
