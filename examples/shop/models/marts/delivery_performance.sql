-- The carriers' portal reads this table by its column titles, so they are kept as the portal shows them.
select
    carrier as "Carrier",
    date_trunc('month', handed_over_at) as "Month",
    count(*) as "Parcels",
    min(date_diff('hour', handed_over_at, delivered_at)) as "Fastest (h)",
    avg(date_diff('hour', handed_over_at, delivered_at)) as "Average (h)",
    100.0 * count(*) filter (delivered_at <= handed_over_at + interval 4 day) / count(*) as "On time %"
from {{ ref('fct_orders') }}
where handed_over_at is not null
group by carrier, date_trunc('month', handed_over_at)
