{#- Returns every calendar day between the first and the last one that has no row. -#}
{% test no_missing_days(model, column_name) %}
with bounds as (
    select min({{ column_name }}) as first_day, max({{ column_name }}) as last_day
    from {{ model }}
),

calendar as (
    select cast(unnest(generate_series(first_day, last_day, interval 1 day)) as date) as day
    from bounds
)

select calendar.day
from calendar
left join {{ model }} as present on present.{{ column_name }} = calendar.day
where present.{{ column_name }} is null
{% endtest %}
