select
    session_id,
    customer_id,
    order_id,
    channel,
    device,
    pages_viewed,
    started_at,
    cast(started_at as date) as session_date
from {{ source('web', 'sessions') }}
