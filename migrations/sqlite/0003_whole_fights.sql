-- A fight can be prepared before it begins, goes back to the turn before, and keeps who waits, who is ready and who is hidden;
-- a condition knows how long it lasts, who caused it and what it excludes.

-- What `status` may be stands in the table, which SQLite changes only by making it anew.
create table combats_of_schema_3 (
    campaign integer not null constraint combats_campaign_exists references campaigns (id),
    id integer not null,
    title text,
    status text not null constraint combats_status_known check (status in ('setup', 'running', 'ended')),
    round integer not null,
    current integer,
    outcome text,
    moved_at integer not null,
    advanced integer,
    constraint combats_key primary key (campaign, id)
) strict, without rowid;

insert into combats_of_schema_3 (campaign, id, title, status, round, current, outcome, moved_at)
select campaign, id, title, status, round, current, outcome, moved_at from combats;

drop table combats;

alter table combats_of_schema_3 rename to combats;

alter table combatants add column from_round integer not null default 0;
alter table combatants add column turn_at integer;
alter table combatants add column hidden integer not null default 0
    constraint combatants_hidden_is_a_flag check (hidden in (0, 1));
alter table combatants add column waits text
    constraint combatants_waits_known check (waits is null or waits in ('delayed', 'returned'));
alter table combatants add column ready text;

-- `lasts` is a JSON object: how many starts or ends of whose turn are left.
alter table conditions add column lasts text
    constraint conditions_lasts_is_json check (lasts is null or json_valid(lasts));
alter table conditions add column caused_by integer;
alter table conditions add column group_name text;
