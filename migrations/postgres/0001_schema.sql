-- The book of record on a server: the tables that a file of SQLite has, and checkpoints in a table, because a server has no folder of its
-- own that all who play on it share.
--
-- The log is the truth. `campaigns`, `sessions`, `characters`, `tracks`, `conditions`, `items`, `combats`, `combatants`, `notes`, `clocks`,
-- `decks` and `roll_rows` are folded from it in the same transaction and can be rebuilt from it at any time (`rollbook verify` does). They
-- are made to be queried by people; change them by hand and `verify` says so.
--
-- Times named `at` or `*_at` are microseconds since 1970-01-01T00:00:00Z; `time` is ISO-8601 text in UTC. Names that are put in order
-- are compared byte by byte, whatever language the database has.

create table campaigns (
    id bigint constraint campaigns_key primary key,
    uuid text not null constraint campaigns_uuid_unique unique,
    name text collate "C" not null constraint campaigns_name_unique unique,
    adventure text not null,
    rules_hash text not null,
    created_at bigint not null,
    -- The UUID of the campaign whose log goes on where this one ends.
    continued_by text
);

-- `body` and `public` are the exact bytes that were hashed. The columns after `chain` are copies of the body's
-- fields, for queries.
create table log (
    id bigint generated always as identity constraint log_key primary key,
    campaign bigint not null constraint log_campaign_exists references campaigns (id),
    seq bigint not null constraint log_seq_positive check (seq >= 1),
    prev bytea not null constraint log_prev_is_a_hash check (octet_length(prev) = 32),
    body bytea not null,
    public bytea not null,
    salt bytea not null constraint log_salt_is_32_bytes check (octet_length(salt) = 32),
    commitment bytea not null constraint log_commitment_is_a_hash check (octet_length(commitment) = 32),
    leaf bytea not null constraint log_leaf_is_a_hash check (octet_length(leaf) = 32),
    chain bytea not null constraint log_chain_is_a_hash check (octet_length(chain) = 32),
    at bigint not null,
    session bigint not null,
    kind text not null,
    visibility text not null,
    actor text not null,
    constraint log_position_unique unique (campaign, seq)
);

create function entry_json(bytea) returns jsonb language sql immutable strict parallel safe as $$
    select convert_from($1, 'UTF8')::jsonb
$$;

-- The last changes of a campaign are found without reading the dice that were rolled since.
create index log_besides_dice on log (campaign, seq) where kind not in ('roll', 'roll_set');
create index log_by_session on log (session, seq, kind, campaign);
create index log_undone on log (campaign, ((entry_json(body) #>> '{event,entry}')::bigint)) where kind = 'undone';
create index log_private on log (campaign, seq) where visibility = 'gm' and (entry_json(body) #>> '{reader}') is not null;

create function log_is_never_updated() returns trigger language plpgsql as $$
begin
    raise exception 'the log is append-only: entries are never changed';
end
$$;

create trigger log_is_never_updated before update on log
for each row execute function log_is_never_updated();

create function log_is_never_deleted() returns trigger language plpgsql as $$
begin
    raise exception 'the log is append-only: entries are never removed';
end
$$;

create trigger log_is_never_emptied before truncate on log
for each statement execute function log_is_never_deleted();

create function log_grows_by_one_link() returns trigger language plpgsql as $$
declare
    last record;
begin
    select seq, chain into last from log where campaign = new.campaign order by seq desc limit 1;
    if new.seq <> coalesce(last.seq, 0) + 1 then
        raise exception 'the log is append-only: seq must be the next';
    end if;
    if new.prev <> coalesce(last.chain, decode(repeat('00', 32), 'hex')) then
        raise exception 'the log is append-only: prev must be the last chain value';
    end if;
    return new;
end
$$;

create trigger log_grows_by_one_link before insert on log
for each row execute function log_grows_by_one_link();

create trigger log_is_never_deleted before delete on log
for each row execute function log_is_never_deleted();

-- Answers of calls that carried a request_id, so that the same call acts once. `reply` is exactly the text whose hash stands in the body
-- of the entry `seq`, and lacks the receipt, which follows from that entry.
create table requests (
    campaign bigint not null constraint requests_campaign_exists references campaigns (id),
    request_id text collate "C" not null,
    tool text not null,
    arguments bytea not null constraint requests_arguments_is_a_hash check (octet_length(arguments) = 32),
    seq bigint not null,
    reply text not null,
    salt bytea not null constraint requests_salt_is_32_bytes check (octet_length(salt) = 32),
    constraint requests_key primary key (campaign, request_id)
);

create function answers_are_kept() returns trigger language plpgsql as $$
begin
    raise exception 'answers are kept as they were given';
end
$$;

create trigger requests_are_never_updated before update on requests
for each row execute function answers_are_kept();

create trigger requests_are_never_deleted before delete on requests
for each row execute function answers_are_kept();

create trigger requests_are_never_emptied before truncate on requests
for each statement execute function answers_are_kept();

create table sessions (
    campaign bigint not null constraint sessions_campaign_exists references campaigns (id),
    number bigint not null,
    title text,
    started_at bigint not null,
    ended_at bigint,
    constraint sessions_key primary key (campaign, number)
);

-- `attributes` and `skills` are JSON objects of name to score or bonus. `ticks` is a JSON array of skills that are ticked, `attacks` a
-- JSON array of what the character attacks with, `worth` the experience for defeating it;
-- null where there are none.
create table characters (
    campaign bigint not null constraint characters_campaign_exists references campaigns (id),
    id bigint not null,
    name text not null,
    kind text not null constraint characters_kind_known check (kind in ('player', 'npc', 'companion', 'template')),
    level bigint not null,
    xp bigint not null,
    attributes text not null constraint characters_attributes_are_json check (attributes::json is not null),
    skills text not null constraint characters_skills_are_json check (skills::json is not null),
    notes text not null,
    gm_notes text not null,
    retired boolean not null,
    ticks text constraint characters_ticks_are_json check (ticks is null or ticks::json is not null),
    attacks text constraint characters_attacks_are_json check (attacks is null or attacks::json is not null),
    worth bigint,
    constraint characters_key primary key (campaign, id)
);

-- `renewal` is JSON, of what counts uses: when they come back, such as "fight" or {"recharge": 5}.
create table tracks (
    campaign bigint not null constraint tracks_campaign_exists references campaigns (id),
    character bigint not null,
    name text not null,
    value bigint not null,
    min bigint not null,
    max bigint,
    fixed boolean not null,
    renewal text constraint tracks_renewal_is_json check (renewal is null or renewal::json is not null),
    constraint tracks_key primary key (campaign, character, name),
    constraint tracks_value_in_bounds check (value >= min and (max is null or value <= max))
);

-- `level`: how bad it is, where the rules count it. `lasts` is a JSON object: how many starts or ends of whose turn are left. `until`
-- is JSON, what ends it where the GM said so; `cause` says in words where it comes from. `hidden` from players, until it is
-- revealed.
create table conditions (
    campaign bigint not null constraint conditions_campaign_exists references campaigns (id),
    character bigint not null,
    name text not null,
    since bigint not null,
    source text not null,
    level bigint,
    lasts text constraint conditions_lasts_is_json check (lasts is null or lasts::json is not null),
    caused_by bigint,
    group_name text,
    until text constraint conditions_until_is_json check (until is null or until::json is not null),
    cause text,
    hidden boolean not null,
    constraint conditions_key primary key (campaign, character, name)
);

-- What a character has; `hidden` from players, `properties` whatever else is kept of it.
create table items (
    campaign bigint not null constraint items_campaign_exists references campaigns (id),
    character bigint not null,
    name text not null,
    quantity bigint not null constraint items_quantity_positive check (quantity > 0),
    equipped boolean not null,
    uses bigint constraint items_uses_not_below_zero check (uses is null or uses >= 0),
    notes text not null,
    hidden boolean not null,
    properties text not null constraint items_properties_is_json check (properties::json is not null),
    constraint items_key primary key (campaign, character, name)
);

-- `by_kind`: those of a kind have one initiative. `structure`: whether the fight has turns, where that is not as the rules begin one.
-- `interrupted`: whose turn was interrupted when the fight went on without turns.
create table combats (
    campaign bigint not null constraint combats_campaign_exists references campaigns (id),
    id bigint not null,
    title text,
    status text not null constraint combats_status_known check (status in ('setup', 'running', 'ended')),
    round bigint not null,
    current bigint,
    outcome text,
    moved_at bigint not null,
    advanced bigint,
    by_kind boolean not null,
    structure text constraint combats_structure_known check (structure is null or structure in ('turn_based', 'narrative')),
    interrupted bigint,
    constraint combats_key primary key (campaign, id)
);

-- `ties` is a JSON array of what breaks ties, higher first, in the order the rules state.
create table combatants (
    campaign bigint not null constraint combatants_campaign_exists references campaigns (id),
    id bigint not null,
    combat bigint not null,
    character bigint not null,
    side text not null,
    initiative bigint,
    ties text not null constraint combatants_ties_are_json check (ties::json is not null),
    extra text constraint combatants_extra_is_json check (extra is null or extra::json is not null),
    acted_round bigint not null,
    again bigint not null,
    defeated boolean not null,
    from_round bigint not null,
    turn_at bigint,
    hidden boolean not null,
    waits text constraint combatants_waits_known check (waits is null or waits in ('delayed', 'returned')),
    ready text,
    constraint combatants_key primary key (campaign, id)
);

-- What the GM writes down for the story. `id` is the number of the entry that wrote it, `closed_by` the one that closed a thread; `hidden`
-- from players. A note that was taken back is gone.
create table notes (
    campaign bigint not null constraint notes_campaign_exists references campaigns (id),
    id bigint not null,
    session bigint not null,
    kind text not null constraint notes_kind_known check (kind in ('note', 'scene', 'discovery', 'thread')),
    text text not null,
    hidden boolean not null,
    closed_by bigint,
    reader bigint,
    constraint notes_key primary key (campaign, id)
);

-- What the party shares: clocks that fill up, and tracks such as supplies that run down. One that the rules declare has no row until
-- something changes it. `down`: it runs down. `hidden` from players; `closed` ones are done with.
create table clocks (
    campaign bigint not null constraint clocks_campaign_exists references campaigns (id),
    name text not null,
    value bigint not null,
    min bigint not null,
    max bigint,
    down boolean not null,
    hidden boolean not null,
    closed boolean not null,
    constraint clocks_key primary key (campaign, name),
    constraint clocks_range check (value >= min and (max is null or value <= max))
);

-- What is out of decks that stay drawn from one roll to the next. One that is whole has no row. `drawn`: the names of its cards that are
-- out, as a JSON list.
create table decks (
    campaign bigint not null constraint decks_campaign_exists references campaigns (id),
    name text not null,
    drawn text not null,
    constraint decks_key primary key (campaign, name)
);

-- One row a roll, for an auditor: `individual_rolls` is a JSON array of every face in the order of the draws; `visible` is true where
-- players see the dice; `nth` counts the rolls of one entry from 1. The view `rolls` adds what the log says of each.
create table roll_rows (
    campaign bigint not null constraint roll_rows_campaign_exists references campaigns (id),
    seq bigint not null,
    nth bigint not null,
    id text not null,
    time text not null,
    session bigint not null,
    expression text not null,
    individual_rolls text not null constraint roll_rows_individual_rolls_are_json check (individual_rolls::json is not null),
    total bigint not null,
    explanation text not null,
    context text,
    purpose text not null,
    visible boolean not null,
    requested_by text not null,
    source text not null,
    constraint roll_rows_key primary key (campaign, seq, nth)
);

create index roll_rows_by_session on roll_rows (session);

-- Keys of seats: who may ask over HTTP, and for which campaign. They are no part of the log, and no copy holds them. Of a key only
-- its SHA-256 is kept; `table_of` is the campaign.
create table keys (
    id text collate "C" constraint keys_key primary key,
    hash bytea not null constraint keys_hash_is_a_hash check (octet_length(hash) = 32),
    table_of bigint not null constraint keys_campaign_exists references campaigns (id),
    seat text not null constraint keys_seat_known check (seat in ('gm', 'player')),
    character text,
    created_at bigint not null,
    expires_at bigint,
    revoked_at bigint,
    constraint keys_player_has_a_character check ((seat = 'player') = (character is not null))
);

-- `book` names this database in checkpoints, whatever the server calls it; a copy of all of it has the same name.
create table book (
    id text not null constraint book_id_is_hex check (length(id) = 32)
);

insert into book (id) values (replace(gen_random_uuid()::text, '-', ''));

create function a_book_keeps_its_name() returns trigger language plpgsql as $$
begin
    raise exception 'a book keeps its name';
end
$$;

create trigger book_is_never_updated before update on book
for each row execute function a_book_keeps_its_name();

create trigger book_is_never_deleted before delete on book
for each row execute function a_book_keeps_its_name();

create trigger book_has_one_name before insert on book
for each row execute function a_book_keeps_its_name();

create trigger book_is_never_emptied before truncate on book
for each statement execute function a_book_keeps_its_name();

-- How far each campaign reached once, as the lines of checkpoints.log say it beside a file: for a server that has lost its own folder. It
-- cannot show that the whole database was put back from an older copy; the files of the servers can. `uuid` is the campaign's.
create table checkpoints (
    id bigint generated always as identity constraint checkpoints_key primary key,
    uuid text not null,
    name text not null,
    seq bigint not null constraint checkpoints_seq_not_below_zero check (seq >= 0),
    chain bytea not null constraint checkpoints_chain_is_a_hash check (octet_length(chain) = 32),
    at bigint not null,
    loss_accepted boolean not null default false,
    removed_to text,
    database text not null
);

create index checkpoints_by_campaign on checkpoints (uuid, id);

create function checkpoints_are_kept() returns trigger language plpgsql as $$
begin
    raise exception 'checkpoints are kept as they were written';
end
$$;

create trigger checkpoints_are_never_updated before update on checkpoints
for each row execute function checkpoints_are_kept();

create trigger checkpoints_are_never_deleted before delete on checkpoints
for each row execute function checkpoints_are_kept();

create trigger checkpoints_are_never_emptied before truncate on checkpoints
for each statement execute function checkpoints_are_kept();

-- What the log is searched by: the words of each entry, folded. In `gm` those of all of it, in `players` those of what players saw; null
-- where they saw nothing. `n` is the number that the entry has for players: from 1, without gaps. The program fills them in
-- when it is searched, from the last row on.

create table words (
    campaign bigint not null constraint words_campaign_exists references campaigns (id),
    seq bigint not null,
    n bigint,
    gm tsvector not null,
    players tsvector,
    constraint words_key primary key (campaign, seq),
    constraint words_number_unique unique (campaign, n)
);

create index words_of_gm on words using gin (gm);

create index words_of_players on words using gin (players);

-- The entries that players saw.
create view seen as select campaign, seq, n from words where n is not null;

-- The clock at the table: from `since` on it is `seconds` ahead of UTC there. Without rows, times are in UTC.
create table zone_offsets (
    campaign bigint not null constraint zone_offsets_campaign_exists references campaigns (id),
    since bigint not null,
    seconds bigint not null,
    zone text not null,
    constraint zone_offsets_key primary key (campaign, since)
);

-- The log as a person reads it.
create view entries as
select
    campaigns.name as campaign,
    log.seq,
    to_char(to_timestamp(log.at / 1000000) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS')
        || '.' || lpad((log.at % 1000000)::text, 6, '0') || 'Z' as time,
    log.session,
    log.kind,
    log.visibility,
    log.actor,
    convert_from(log.public, 'UTF8')::json ->> 'text' as players_see,
    encode(log.chain, 'hex') as chain,
    convert_from(log.body, 'UTF8') as body
from log join campaigns on campaigns.id = log.campaign;

-- The log in tables that a person can ask: every roll, every die, checks, damage, initiative, turns and the story, with what was undone
-- marked, and times in the table's own zone. They are views over the log, so they cannot say anything else than it does.

-- Calls that were taken back, by the entry that did it: their first and their last entry.
create view undos as
select
    campaign,
    seq as n,
    (entry_json(body) #>> '{event,entry}')::bigint as first,
    (entry_json(body) #>> '{event,last}')::bigint as last
from log where kind = 'undone';

-- The log as the views below read it. An entry is undone if the last undo of its call is not undone itself, and so on.
create view facts as
select
    campaign,
    seq as n,
    seq,
    at,
    to_char(to_timestamp(at / 1000000) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS')
        || '.' || lpad((at % 1000000)::text, 6, '0') || 'Z' as time,
    coalesce(
        (select to_char(to_timestamp(log.at / 1000000 + seconds) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS')
                || case when seconds < 0 then '-' else '+' end
                || lpad((abs(seconds) / 3600)::text, 2, '0') || ':' || lpad((abs(seconds) / 60 % 60)::text, 2, '0')
            from zone_offsets where campaign = log.campaign and since <= log.at order by since desc limit 1),
        to_char(to_timestamp(at / 1000000) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"+00:00"')
    ) as local_time,
    session,
    kind,
    visibility,
    actor,
    (entry_json(body) #>> '{event,combat}')::bigint as fight,
    (with recursive later (n, depth) as (
        select log.seq, 0
        union all
        select (select max(undos.n) from undos where undos.campaign = log.campaign and undos.last >= later.n and undos.first = (
                select max(earlier.first) from undos as earlier where earlier.campaign = log.campaign and earlier.first <= later.n)),
            depth + 1
        from later where later.n is not null
    ) select (max(depth) - 1) % 2 = 1 from later) as undone,
    entry_json(body) as body,
    entry_json(public) as public,
    entry_json(body) -> 'rolls' as rolls
from log;

create view rolls as
select
    roll.campaign,
    roll.seq,
    roll.nth,
    roll.id,
    roll.time,
    roll.session,
    roll.expression,
    roll.individual_rolls,
    roll.total,
    roll.explanation,
    roll.context,
    roll.purpose,
    roll.visible,
    roll.requested_by,
    roll.source,
    roll.seq as n,
    facts.local_time,
    roll.requested_by as who,
    coalesce(roll.context, nullif(replace(roll.purpose, '_', ' '), '')) as what_for,
    case when facts.kind = 'check' then coalesce(
        facts.body #>> '{event,skill}', facts.body #>> '{event,attribute}', facts.body #>> '{event,attack_name}', facts.body #>> '{event,check}'
    ) end as skill,
    coalesce(
        (facts.rolls -> (roll.nth - 1)::int #>> '{roll,verdict,target}')::bigint,
        case when roll.nth = 1 then (facts.body #>> '{event,target}')::bigint end
    ) as target,
    coalesce(
        case when roll.nth = 1 then replace(facts.body #>> '{event,outcome}', '_', ' ') end,
        case facts.rolls -> (roll.nth - 1)::int #>> '{roll,verdict,success}' when 'true' then 'success' when 'false' then 'failure' end
    ) as outcome,
    facts.visibility,
    facts.undone
from roll_rows as roll left join facts on facts.campaign = roll.campaign and facts.n = roll.seq;

create view dice as
select
    facts.campaign,
    facts.n,
    facts.seq,
    roll.nth,
    facts.time,
    facts.local_time,
    facts.session,
    roll.value ->> 'by' as who,
    coalesce(facts.body #>> '{event,context}', nullif(replace(roll.value ->> 'purpose', '_', ' '), '')) as what_for,
    roll.value #>> '{roll,expression}' as expression,
    (term.value ->> 'sides')::bigint as sides,
    (die.value ->> 'value')::bigint as value,
    (select json_agg((face.value ->> 'value')::bigint order by face.nth)::text
        from jsonb_array_elements(die.value -> 'rolls') with ordinality as face (value, nth)) as faces,
    (die.value ->> 'kept')::boolean as kept,
    (select coalesce(string_agg(why.value, ', ' order by why.value), '') from (
        select face.value ->> 'reason' as value from jsonb_array_elements(die.value -> 'rolls') as face (value)
            where face.value ->> 'reason' <> 'initial'
        union
        select special.value from jsonb_array_elements_text(die.value -> 'special') as special (value)
    ) as why) as why,
    roll.value ->> 'source' as source,
    facts.visibility,
    facts.undone
from facts
    cross join lateral jsonb_array_elements(facts.rolls) with ordinality as roll (value, nth)
    cross join lateral jsonb_path_query(roll.value, 'strict $.roll.** ? (@.type() == "object" && exists (@.dice))') as term (value)
    cross join lateral jsonb_array_elements(term.value -> 'dice') as die (value);

-- `skill` says what was rolled, as sentences do: the skill, else the attribute, else the attack, else the rule's name.
create view checks as
select
    campaign,
    n,
    seq,
    time,
    local_time,
    session,
    coalesce(body #>> '{event,subject,name}', actor) as who,
    body #>> '{event,check}' as "check",
    coalesce(
        body #>> '{event,skill}', body #>> '{event,attribute}', body #>> '{event,attack_name}', body #>> '{event,check}'
    ) as skill,
    body #>> '{event,attribute}' as attribute,
    body #>> '{event,context}' as what_for,
    body #>> '{event,against,name}' as against,
    rolls #>> '{0,roll,expression}' as expression,
    coalesce((body #>> '{event,successes}')::bigint, (rolls #>> '{0,roll,total}')::bigint) as result,
    (body #>> '{event,difficulty}')::bigint as difficulty,
    (body #>> '{event,target}')::bigint as target,
    (body #>> '{event,margin}')::bigint as margin,
    replace(coalesce(body #>> '{event,outcome}', public ->> 'outcome'), '_', ' ') as outcome,
    coalesce(body #>> '{event,label}', public ->> 'label') as label,
    public ->> 'text' as players_see,
    visibility,
    undone
from facts where kind = 'check';

-- `applied` is what the hit itself took or the cure gave, and not what else moved because of it (a box of bleeding at 0 hit points); `aside`
-- tells apart what is counted or spent and is nobody's health.
create view damage as
select
    facts.campaign,
    facts.n,
    facts.seq,
    facts.time,
    facts.local_time,
    facts.session,
    coalesce(
        facts.body #>> '{event,by,name}',
        (select checked.body #>> '{event,subject,name}' from facts as checked
            where checked.campaign = facts.campaign and checked.seq = (rolled.body #>> '{event,check}')::bigint),
        nullif(rolled.rolls #>> '{0,by}', 'gm')
    ) as attacker,
    facts.body #>> '{event,subject,name}' as target,
    facts.body #>> '{event,track}' as track,
    rolled.n as roll,
    (select sum((one.value #>> '{roll,total}')::bigint)::bigint from jsonb_array_elements(rolled.rolls) as one (value)) as rolled,
    (facts.body #>> '{event,amount}')::bigint as amount,
    facts.body #>> '{event,damage_type}' as damage_type,
    (select sum(abs((change.value #>> '{after,value}')::bigint - (change.value #>> '{before,value}')::bigint))::bigint
        from jsonb_array_elements(facts.body -> 'changes') as change (value) where change.value ->> 'entity' = 'track' and exists (
            select 1 from jsonb_array_elements(facts.body #> '{event,steps}') as step (value)
            where step.value ->> 'step' = change.value #>> '{after,name}')
    ) * case when (facts.body #>> '{event,amount}')::bigint < 0 then -1 else 1 end as applied,
    facts.body #>> '{event,reason}' as reason,
    facts.public ->> 'text' as players_see,
    facts.visibility,
    facts.undone,
    coalesce((facts.body #>> '{event,aside}')::boolean, false) as aside
from facts left join facts as rolled
    on rolled.campaign = facts.campaign and rolled.seq = (facts.body #>> '{event,roll}')::bigint
where facts.kind = 'damage';

create view initiative as
select
    campaign,
    n,
    seq,
    time,
    local_time,
    session,
    fight,
    body #>> '{event,subject,name}' as who,
    coalesce((body #>> '{event,initiative}')::bigint, (body #>> '{event,after}')::bigint) as initiative,
    case
        when body #>> '{event,act}' = 'initiative_set' or (kind = 'combatant_joined' and actor = 'gm') then 'typed'
        when body #>> '{event,card}' is not null then 'drawn'
        when jsonb_array_length(rolls) > 0 then 'rolled'
        else 'shared or fixed'
    end as how,
    body #>> '{event,card}' as card,
    (rolls #>> '{0,roll,total}')::bigint as rolled,
    visibility,
    undone
from facts
where kind in ('combatant_joined', 'combatant') and (
    (kind = 'combatant_joined' and body #>> '{event,initiative}' is not null)
    or body #>> '{event,act}' in ('initiative_set', 'initiative_rolled'));

create view turns as
select
    campaign,
    n,
    seq,
    time,
    local_time,
    session,
    fight,
    (body #>> '{event,round}')::bigint as round,
    case kind when 'turn_began' then 'turn' when 'round_began' then 'round' else 'taken back' end as what,
    coalesce(body #>> '{event,began,name}', body #>> '{event,back_to,name}') as who,
    coalesce(body #>> '{event,ended,name}', body #>> '{event,from,name}') as ended,
    public ->> 'text' as players_see,
    visibility,
    undone
from facts where kind in ('turn_began', 'round_began', 'turn_taken_back');

create view story as
select
    campaign,
    n,
    seq,
    time,
    local_time,
    session,
    case when kind = 'note' then coalesce(body #>> '{event,note}', 'note') else kind end as what,
    coalesce(body #>> '{event,subject,name}', body #>> '{event,name}') as who,
    coalesce(
        body #>> '{event,text}', public ->> 'text', body #>> '{event,title}', body #>> '{event,outcome}', body #>> '{event,reason}'
    ) as text,
    public ->> 'text' as players_see,
    visibility,
    undone
from facts
where kind in ('session_started', 'session_ended', 'note', 'clock', 'time', 'combat_started', 'structure_changed', 'combat_ended', 'awarded',
        'items', 'level_up', 'character_created', 'retired', 'rested', 'campaign_created', 'campaign_renamed', 'loss_accepted', 'restored',
        'damage', 'combatant')
    and (kind <> 'items' or (body #>> '{event,awarded}')::boolean)
    and (kind <> 'damage' or exists (select 1 from jsonb_array_elements_text(body #> '{event,gained}') as gained (value)
        where lower(gained.value) = 'dead'))
    and (kind <> 'combatant' or body #>> '{event,act}' = 'defeated');
