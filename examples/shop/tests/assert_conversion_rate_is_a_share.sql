-- Still names the column as it was called before it became session_count, so it ends in an error:
-- the estate keeps one test that cannot be run.
select *
from {{ ref('conversion_funnel') }}
where order_count > sessions
