-- The book: one append-only, hash-chained log a campaign, and the tables that its entries add up to.
--
-- The log is the truth. `campaigns`, `sessions`, `characters`, `tracks`, `conditions`, `combats`, `combatants` and
-- `rolls` are folded from it in the same transaction and can be rebuilt from it at any time (`rollbook verify`
-- does). They are made to be queried by people; change them by hand and `verify` says so.
--
-- Times named `at` or `*_at` are microseconds since 1970-01-01T00:00:00Z; `time` is ISO-8601 text in UTC.

create table campaigns (
    id integer primary key,
    uuid text not null constraint campaigns_uuid_unique unique,
    name text not null constraint campaigns_name_unique unique,
    adventure text not null,
    rules_hash text not null,
    created_at integer not null
) strict;

-- `body` and `public` are the exact bytes that were hashed. The columns behind `chain` are copies of the body's
-- fields, for queries.
create table log (
    id integer primary key,
    campaign integer not null constraint log_campaign_exists references campaigns (id),
    seq integer not null constraint log_seq_positive check (seq >= 1),
    prev blob not null constraint log_prev_is_a_hash check (length(prev) = 32),
    body blob not null,
    public blob not null,
    salt blob not null constraint log_salt_is_32_bytes check (length(salt) = 32),
    commitment blob not null constraint log_commitment_is_a_hash check (length(commitment) = 32),
    leaf blob not null constraint log_leaf_is_a_hash check (length(leaf) = 32),
    chain blob not null constraint log_chain_is_a_hash check (length(chain) = 32),
    at integer not null,
    session integer not null,
    kind text not null,
    visibility text not null,
    actor text not null,
    constraint log_position_unique unique (campaign, seq)
) strict;

-- Append-only. With `recursive_triggers` on, `insert or replace` runs into the delete trigger as well.
create trigger log_is_never_updated before update on log
begin
    select raise(abort, 'the log is append-only: entries are never changed');
end;

create trigger log_is_never_deleted before delete on log
begin
    select raise(abort, 'the log is append-only: entries are never removed');
end;

create trigger log_grows_by_one_link before insert on log
begin
    select raise(abort, 'the log is append-only: seq must be the next')
    where new.seq <> (select coalesce(max(seq), 0) + 1 from log where campaign = new.campaign);
    select raise(abort, 'the log is append-only: prev must be the last chain value')
    where new.prev <> coalesce(
        (select chain from log where campaign = new.campaign order by seq desc limit 1),
        zeroblob(32)
    );
end;

-- Answers of calls that carried a request_id, so that the same call acts once.
create table requests (
    campaign integer not null constraint requests_campaign_exists references campaigns (id),
    request_id text not null,
    tool text not null,
    arguments blob not null constraint requests_arguments_is_a_hash check (length(arguments) = 32),
    seq integer not null,
    reply text not null,
    constraint requests_key primary key (campaign, request_id)
) strict, without rowid;

create trigger requests_are_never_updated before update on requests
begin
    select raise(abort, 'answers are kept as they were given');
end;

create trigger requests_are_never_deleted before delete on requests
begin
    select raise(abort, 'answers are kept as they were given');
end;

create table sessions (
    campaign integer not null constraint sessions_campaign_exists references campaigns (id),
    number integer not null,
    title text,
    started_at integer not null,
    ended_at integer,
    constraint sessions_key primary key (campaign, number)
) strict, without rowid;

-- `attributes` and `skills` are JSON objects of name to score or bonus.
create table characters (
    campaign integer not null constraint characters_campaign_exists references campaigns (id),
    id integer not null,
    name text not null,
    kind text not null constraint characters_kind_known check (kind in ('player', 'npc', 'companion')),
    level integer not null,
    xp integer not null,
    attributes text not null constraint characters_attributes_are_json check (json_valid(attributes)),
    skills text not null constraint characters_skills_are_json check (json_valid(skills)),
    notes text not null,
    gm_notes text not null,
    constraint characters_key primary key (campaign, id)
) strict, without rowid;

create table tracks (
    campaign integer not null constraint tracks_campaign_exists references campaigns (id),
    character integer not null,
    name text not null,
    value integer not null,
    min integer not null,
    max integer,
    fixed integer not null constraint tracks_fixed_is_a_flag check (fixed in (0, 1)),
    constraint tracks_key primary key (campaign, character, name),
    constraint tracks_value_in_bounds check (value >= min and (max is null or value <= max))
) strict, without rowid;

create table conditions (
    campaign integer not null constraint conditions_campaign_exists references campaigns (id),
    character integer not null,
    name text not null,
    since integer not null,
    source text not null,
    constraint conditions_key primary key (campaign, character, name)
) strict, without rowid;

create table combats (
    campaign integer not null constraint combats_campaign_exists references campaigns (id),
    id integer not null,
    title text,
    status text not null constraint combats_status_known check (status in ('running', 'ended')),
    round integer not null,
    current integer,
    outcome text,
    moved_at integer not null,
    constraint combats_key primary key (campaign, id)
) strict, without rowid;

-- `ties` is a JSON array of what breaks ties, higher first, in the order the rules state.
create table combatants (
    campaign integer not null constraint combatants_campaign_exists references campaigns (id),
    id integer not null,
    combat integer not null,
    character integer not null,
    side text not null,
    initiative integer,
    ties text not null constraint combatants_ties_are_json check (json_valid(ties)),
    acted_round integer not null,
    defeated integer not null constraint combatants_defeated_is_a_flag check (defeated in (0, 1)),
    constraint combatants_key primary key (campaign, id)
) strict, without rowid;

-- One row a roll, for an auditor: `individual_rolls` is a JSON array of every face in the order of the draws;
-- `visible` is 1 where players see the dice; `nth` counts the rolls of one entry from 1.
create table rolls (
    campaign integer not null constraint rolls_campaign_exists references campaigns (id),
    seq integer not null,
    nth integer not null,
    id text not null,
    time text not null,
    session integer not null,
    expression text not null,
    individual_rolls text not null constraint rolls_individual_rolls_are_json check (json_valid(individual_rolls)),
    total integer not null,
    explanation text not null,
    context text,
    purpose text not null,
    visible integer not null constraint rolls_visible_is_a_flag check (visible in (0, 1)),
    requested_by text not null,
    source text not null,
    constraint rolls_key primary key (campaign, seq, nth)
) strict, without rowid;

-- The log as a person reads it.
create view entries as
select
    campaigns.name as campaign,
    log.seq,
    strftime('%Y-%m-%dT%H:%M:%S', log.at / 1000000, 'unixepoch') || printf('.%06dZ', log.at % 1000000) as time,
    log.session,
    log.kind,
    log.visibility,
    log.actor,
    json_extract(cast(log.public as text), '$.text') as players_see,
    lower(hex(log.chain)) as chain,
    cast(log.body as text) as body
from log join campaigns on campaigns.id = log.campaign;
