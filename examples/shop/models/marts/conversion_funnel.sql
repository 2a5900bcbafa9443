select
    sessions.session_date,
    sessions.channel,
    count(*) as session_count,
    count(sessions.customer_id) as known_session_count,
    count(orders.order_id) as order_count,
    round(count(orders.order_id) / count(*), 4) as conversion_rate
from {{ ref('stg_sessions') }} as sessions
left join {{ ref('fct_orders') }} as orders
    on orders.order_id = sessions.order_id and orders.status <> 'cancelled'
group by sessions.session_date, sessions.channel
