-- The two ways to the money received of a day must agree to the cent.
with ledger as (
    select order_date, sum(net_paid_amount) as ledger_amount
    from {{ source('shop', 'fct_orders') }}
    where status <> 'cancelled'
    group by order_date
)

select
    order_date,
    ledger.ledger_amount,
    sales.net_paid_amount as reported_amount,
    coalesce(ledger.ledger_amount, 0) - coalesce(sales.net_paid_amount, 0) as difference
from ledger
full join {{ source('shop', 'daily_sales') }} as sales using (order_date)
