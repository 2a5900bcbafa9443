select
    date_trunc('month', entries.booked_on) as statement_month,
    accounts.statement_line,
    sum(entries.credit - entries.debit) as amount
from {{ ref('journal_entries') }} as entries
join {{ ref('gl_accounts') }} as accounts using (account_code)
where accounts.statement_line is not null
group by all
