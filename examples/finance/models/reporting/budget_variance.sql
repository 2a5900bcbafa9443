select
    statement_month,
    statement_line,
    coalesce(actual.amount, 0) as actual_amount,
    budget.budget_amount,
    coalesce(actual.amount, 0) - budget.budget_amount as variance_amount,
    round((coalesce(actual.amount, 0) - budget.budget_amount) / abs(budget.budget_amount), 3) as variance_share
from {{ ref('monthly_budget') }} as budget
left join {{ ref('income_statement') }} as actual using (statement_month, statement_line)
