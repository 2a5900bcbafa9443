select
    customer_id,
    lower(email) as email,
    country_code,
    signup_channel,
    created_at as signed_up_at
from {{ source('app', 'customers') }}
