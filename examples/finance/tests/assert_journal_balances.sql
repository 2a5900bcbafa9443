select order_id, kind
from {{ ref('journal_entries') }}
group by order_id, kind
having sum(debit) <> sum(credit)
