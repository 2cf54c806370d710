-- What ends a condition where the GM said so: JSON, such as "scene" or {"rest": "Long rest"}.
alter table conditions add column until text
    constraint conditions_until_is_json check (until is null or json_valid(until));
