{{ config(severity='warn', tags=['finance']) }}

-- A payment that was retried must not be taken twice.
select order_id, count(*) as charge_count
from {{ ref('stg_charges') }}
group by order_id
having count(*) > 1
