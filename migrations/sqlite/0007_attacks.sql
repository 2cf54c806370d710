-- What a character hits with, as a JSON array, and the experience for defeating it; null where there is none.
alter table characters add column attacks text
    constraint characters_attacks_are_json check (attacks is null or json_valid(attacks));
alter table characters add column worth integer;
