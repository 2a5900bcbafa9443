{#- Schemas are named as configured, without the target schema in front: one warehouse, one environment. -#}
{% macro generate_schema_name(custom_schema_name, node) -%}
    {{ custom_schema_name or target.schema }}
{%- endmacro %}
