-- A character can be a template that foes are made from, can leave the story, owns things, and remembers what it has earned
-- towards getting better.

-- What `kind` may be stands in the table, which SQLite changes only by making it anew.
create table characters_of_schema_4 (
    campaign integer not null constraint characters_campaign_exists references campaigns (id),
    id integer not null,
    name text not null,
    kind text not null constraint characters_kind_known check (kind in ('player', 'npc', 'companion', 'template')),
    level integer not null,
    xp integer not null,
    attributes text not null constraint characters_attributes_are_json check (json_valid(attributes)),
    skills text not null constraint characters_skills_are_json check (json_valid(skills)),
    notes text not null,
    gm_notes text not null,
    retired integer not null default 0 constraint characters_retired_is_a_flag check (retired in (0, 1)),
    -- A JSON array of skills that are ticked, and a JSON object of milestones by kind; null where there are none.
    ticks text constraint characters_ticks_are_json check (ticks is null or json_valid(ticks)),
    milestones text constraint characters_milestones_are_json check (milestones is null or json_valid(milestones)),
    constraint characters_key primary key (campaign, id)
) strict, without rowid;

insert into characters_of_schema_4 (campaign, id, name, kind, level, xp, attributes, skills, notes, gm_notes)
select campaign, id, name, kind, level, xp, attributes, skills, notes, gm_notes from characters;

drop table characters;

alter table characters_of_schema_4 rename to characters;

-- What somebody owns; `hidden` from players.
create table items (
    campaign integer not null constraint items_campaign_exists references campaigns (id),
    character integer not null,
    name text not null,
    quantity integer not null constraint items_quantity_positive check (quantity > 0),
    equipped integer not null constraint items_equipped_is_a_flag check (equipped in (0, 1)),
    uses integer constraint items_uses_not_below_zero check (uses is null or uses >= 0),
    notes text not null,
    hidden integer not null constraint items_hidden_is_a_flag check (hidden in (0, 1)),
    constraint items_key primary key (campaign, character, name)
) strict, without rowid;
