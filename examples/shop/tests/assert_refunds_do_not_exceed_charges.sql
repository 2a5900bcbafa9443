select order_id
from {{ ref('fct_orders') }}
where refunded_amount > charged_amount
