{#- The shop's application keeps money in whole cents; the warehouse in euros with two decimals. -#}
{% macro cents_to_amount(column) -%}
    cast({{ column }} / 100.0 as decimal(12, 2))
{%- endmacro %}
