select
    order_id,
    customer_id,
    status,
    ordered_at,
    cast(ordered_at as date) as order_date
from {{ source('app', 'orders') }}
