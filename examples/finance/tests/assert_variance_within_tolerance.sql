{{ config(severity='warn') }}

select statement_month, statement_line, variance_share
from {{ ref('budget_variance') }}
where abs(variance_share) > 0.25
