-- What the shop's application, its payment provider, its carriers and its web
-- analytics would have delivered: schema "raw", written by no dbt model.
-- Everything is arithmetic on row numbers, so that each build makes the same
-- rows. Rows that are wrong on purpose are marked DEFECT; the tests find them.

create schema if not exists raw;

create or replace table raw.app_customers as
select
    i as customer_id,
    case when i in (17, 88, 143) then null  -- DEFECT: accounts without an e-mail address
         else printf('buyer%04d@demo.test', i) end as email,
    ['DE', 'FR', 'NL', 'ES', 'IT', 'PL', 'AT', 'BE'][1 + (i * 5) % 8] as country_code,
    ['web', 'app', 'partner'][1 + i % 3] as signup_channel,
    timestamp '2024-01-01 08:00:00' + to_hours(i * 43) as created_at
from range(1, 201) as numbers(i);

create or replace table raw.app_products as
select
    i as product_id,
    printf('SKU-%04d', i) as sku,
    printf('%s %d', ['Desk lamp', 'Notebook', 'Backpack', 'Water bottle', 'Headset'][1 + i % 5], i) as product_name,
    ['LIGHT', 'PAPER', 'BAGS', 'KITCHEN', 'AUDIO'][1 + i % 5] as category_code,
    900 + (i * 317) % 8000 as price_cents,
    500 + (i * 173) % 3000 as cost_cents,
    timestamp '2025-01-01 00:00:00' + to_days(i % 28) as updated_at
from range(1, 41) as numbers(i);

create or replace table raw.app_orders as
with numbered as (
    select
        i as order_id,
        1 + (i * 37) % 200 as customer_id,
        timestamp '2025-01-01 00:30:00' + to_minutes(i * 217) as ordered_at
    from range(0, 1200) as numbers(i)
)

select
    order_id,
    customer_id,
    -- DEFECT: the webhook was down on 30 March, and its orders were booked a day late
    case when cast(ordered_at as date) = date '2025-03-30' then ordered_at + to_days(1)
         else ordered_at end as ordered_at,
    case when order_id in (411, 877) then 'on-hold'  -- DEFECT: a status nobody has announced
         when order_id % 40 = 0 then 'cancelled'
         when order_id >= 1180 then 'placed'
         when order_id >= 1150 then 'shipped'
         when order_id % 25 = 0 then 'returned'
         else 'delivered' end as status
from numbered;

create or replace table raw.app_order_items as
select
    order_id * 10 + line as order_item_id,
    order_id,
    case when order_id in (502, 1040, 1111) and line = 1 then 99  -- DEFECT: a product that was hard-deleted
         else 1 + (order_id * 7 + line * 11) % 40 end as product_id,
    1 + (order_id + line) % 3 as quantity,
    900 + ((1 + (order_id * 7 + line * 11) % 40) * 317) % 8000 as unit_price_cents
from raw.app_orders, range(1, 4) as lines(line)
where line <= 1 + order_id % 3;

create or replace table raw.pay_charges as
with amounts as (
    select order_id, sum(quantity * unit_price_cents) as amount_cents
    from raw.app_order_items
    group by order_id
)

select
    printf('ch_%06d', orders.order_id * 10 + attempt) as charge_id,
    orders.order_id,
    ['card', 'wallet', 'transfer', 'voucher'][1 + orders.order_id % 4] as method,
    cast(amounts.amount_cents as bigint) as amount_cents,
    orders.ordered_at + to_minutes(2 * attempt) as charged_at
from raw.app_orders as orders
join amounts using (order_id), range(1, 3) as attempts(attempt)
where orders.status not in ('cancelled', 'placed')
  and (attempt = 1 or orders.order_id in (640 + 1, 955));  -- DEFECT: two orders were charged twice

create or replace table raw.pay_refunds as
select
    printf('re_%06d', charges.order_id) as refund_id,
    charges.charge_id,
    charges.order_id,
    charges.method,
    cast(case when charges.order_id % 50 = 0 then amount_cents else amount_cents // 2 end as bigint) as amount_cents,
    charges.charged_at + to_days(9) as refunded_at
from raw.pay_charges as charges
join raw.app_orders as orders using (order_id)
where orders.status = 'returned';

create or replace table raw.log_shipments as
select
    printf('sh_%06d', order_id) as shipment_id,
    order_id,
    ['CARRIER-A', 'CARRIER-B', 'CARRIER-C'][1 + order_id % 3] as carrier,
    ordered_at + to_hours(6 + order_id % 30) as handed_over_at,
    case when status = 'shipped' then null
         when order_id in (333, 734) then ordered_at + to_hours(2)  -- DEFECT: delivered before it left
         else ordered_at + to_hours(40 + (order_id * 13) % 96) end as delivered_at
from raw.app_orders
where status in ('shipped', 'delivered', 'returned');

create or replace table raw.web_sessions as
select
    printf('se_%06d', i) as session_id,
    case when i % 4 < 2 then 1 + ((i // 4) * 37) % 200 end as customer_id,
    case when i % 4 = 0 then i // 4 end as order_id,
    ['search', 'mail', 'direct', 'advert'][1 + i % 7 % 4] as channel,
    ['phone', 'desktop', 'tablet'][1 + i % 3] as device,
    2 + (i * 11) % 17 as pages_viewed,
    timestamp '2025-01-01 00:05:00' + to_minutes(i * 54) as started_at
from range(0, 4800) as numbers(i);
