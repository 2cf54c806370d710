-- What ends a condition where the GM said so: JSON, such as "scene" or {"rest": "Long rest"}; and where it comes from, in words.
alter table conditions add column until text
    constraint conditions_until_is_json check (until is null or json_valid(until));
alter table conditions add column cause text;
