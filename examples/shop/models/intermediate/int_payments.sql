{{ config(materialized='ephemeral') }}

-- Money in and money out in one list: refunds carry a negative sign.
select order_id, method, amount, charged_at as booked_at, 'charge' as movement
from {{ ref('stg_charges') }}
union all
select order_id, method, -amount, refunded_at, 'refund'
from {{ ref('stg_refunds') }}
