select
    customers.customer_id,
    customers.email,
    customers.country_code,
    countries.country_name,
    countries.sales_region,
    customers.signup_channel,
    customers.signed_up_at
from {{ ref('stg_customers') }} as customers
left join {{ ref('country_codes') }} as countries using (country_code)
