{{ config(alias='sales_by_category') }}

select
    date_trunc('month', lines.order_date) as sales_month,
    lines.category_code,
    products.category_name,
    sum(lines.quantity) as units_sold,
    sum(lines.line_amount) as gross_amount,
    sum(lines.line_amount - lines.line_cost) as margin_amount
from {{ ref('fct_order_lines') }} as lines
left join {{ ref('dim_products') }} as products using (product_id)
where lines.order_status <> 'cancelled'
group by all
