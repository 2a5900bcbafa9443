{%- set bookings = [
    ('revenue', 'recognised_on', 'gross_amount - vat_amount', 1100, 4000),
    ('vat', 'recognised_on', 'vat_amount', 1100, 3100),
    ('cost', 'recognised_on', 'cost_amount', 5000, 1300),
    ('provision', 'recognised_on', 'coalesce(provision_amount, 0)', 4900, 2900),
] %}

-- Each booking moves one amount from a credit account to a debit account.
with orders as (
    select
        revenue.order_id,
        revenue.recognised_on,
        revenue.gross_amount,
        vat.vat_amount,
        margin.cost_amount,
        provision.provision_amount
    from {{ ref('recognised_revenue') }} as revenue
    left join {{ ref('vat_due') }} as vat using (order_id)
    left join {{ ref('order_margin') }} as margin using (order_id)
    left join {{ ref('refund_provision') }} as provision using (order_id)
),

bookings as (
    {% for kind, day, amount, debit, credit in bookings %}
    select order_id, '{{ kind }}' as kind, {{ day }} as booked_on, {{ amount }} as amount,
        {{ debit }} as debit_account, {{ credit }} as credit_account
    from orders
    {% if not loop.last %}union all{% endif %}
    {% endfor %}
)

select
    kind || '-' || order_id || '-' || side as entry_id,
    order_id,
    kind,
    booked_on,
    accounts.account_code,
    case when side = 'debit' then amount else 0 end as debit,
    case when side = 'credit' then amount else 0 end as credit
from bookings
cross join (values ('debit'), ('credit')) as sides(side)
left join {{ ref('gl_accounts') }} as accounts
    on accounts.account_code = case when side = 'debit' then debit_account else credit_account end
where amount <> 0
