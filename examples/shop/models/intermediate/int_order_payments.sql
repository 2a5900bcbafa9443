select
    order_id,
    sum(amount) filter (movement = 'charge') as charged_amount,
    coalesce(-sum(amount) filter (movement = 'refund'), 0) as refunded_amount,
    sum(amount) as net_paid_amount,
    min(booked_at) filter (movement = 'charge') as paid_at,
    max(booked_at) filter (movement = 'refund') as refunded_at
from {{ ref('int_payments') }}
group by order_id
