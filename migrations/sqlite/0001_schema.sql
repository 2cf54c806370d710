-- The book of record: one append-only, hash-chained log a campaign, and the tables that its entries add up to.
--
-- The log is the truth. `campaigns`, `sessions`, `characters`, `tracks`, `conditions`, `items`, `combats`, `combatants`, `notes`, `clocks`,
-- `decks` and `roll_rows` are folded from it in the same transaction and can be rebuilt from it at any time (`rollbook verify` does). They
-- are made to be queried by people; change them by hand and `verify` says so.
--
-- Times named `at` or `*_at` are microseconds since 1970-01-01T00:00:00Z; `time` is ISO-8601 text in UTC.

-- "Roll" in the file's header: a start knows its own database by it before it writes.
pragma application_id = 1383033964;

create table campaigns (
    id integer primary key,
    uuid text not null constraint campaigns_uuid_unique unique,
    name text not null constraint campaigns_name_unique unique,
    adventure text not null,
    rules_hash text not null,
    created_at integer not null,
    -- The UUID of the campaign whose log goes on where this one ends.
    continued_by text
) strict;

-- `body` and `public` are the exact bytes that were hashed. The columns after `chain` are copies of the body's
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

-- The view `entries` in the order of its entries is a walk along this index, also over several campaigns; and an undo finds the last
-- changes without reading the dice that were rolled since.
create index log_by_entry on log (seq, campaign, kind);
create index log_by_session on log (session, seq, kind, campaign);
create index log_undone on log (campaign, json_extract(cast(body as text), '$.event.entry')) where kind = 'undone';
create index log_private on log (campaign, seq) where visibility = 'gm' and json_extract(cast(body as text), '$.reader') is not null;

-- Append-only. With `recursive_triggers` on, `insert or replace` runs into the delete trigger as well.
create trigger log_is_never_updated before update on log
begin
    select raise(abort, 'the log is append-only: entries are never changed');
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

create trigger log_is_never_deleted before delete on log
begin
    select raise(abort, 'the log is append-only: entries are never removed');
end;

-- Answers of calls that carried a request_id, so that the same call acts once. `reply` is exactly the text whose hash stands in the body
-- of the entry `seq`, and lacks the receipt, which follows from that entry.
create table requests (
    campaign integer not null constraint requests_campaign_exists references campaigns (id),
    request_id text not null,
    tool text not null,
    arguments blob not null constraint requests_arguments_is_a_hash check (length(arguments) = 32),
    seq integer not null,
    reply text not null,
    salt blob not null constraint requests_salt_is_32_bytes check (length(salt) = 32),
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

-- `attributes` and `skills` are JSON objects of name to score or bonus. `ticks` is a JSON array of skills that are ticked, `attacks` a
-- JSON array of what the character attacks with, `worth` the experience for defeating it;
-- null where there are none.
create table characters (
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
    retired integer not null constraint characters_retired_is_a_flag check (retired in (0, 1)),
    ticks text constraint characters_ticks_are_json check (ticks is null or json_valid(ticks)),
    attacks text constraint characters_attacks_are_json check (attacks is null or json_valid(attacks)),
    worth integer,
    constraint characters_key primary key (campaign, id)
) strict, without rowid;

-- `renewal` is JSON, of what counts uses: when they come back, such as "fight" or {"recharge": 5}.
create table tracks (
    campaign integer not null constraint tracks_campaign_exists references campaigns (id),
    character integer not null,
    name text not null,
    value integer not null,
    min integer not null,
    max integer,
    fixed integer not null constraint tracks_fixed_is_a_flag check (fixed in (0, 1)),
    renewal text constraint tracks_renewal_is_json check (renewal is null or json_valid(renewal)),
    constraint tracks_key primary key (campaign, character, name),
    constraint tracks_value_in_bounds check (value >= min and (max is null or value <= max))
) strict, without rowid;

-- `level`: how bad it is, where the rules count it. `lasts` is a JSON object: how many starts or ends of whose turn are left. `until` is
-- JSON, what ends it where the GM said so, such as "scene" or {"rest": "Long rest"}; `cause` says in words where it comes from. `hidden`
-- from players, until it is revealed.
create table conditions (
    campaign integer not null constraint conditions_campaign_exists references campaigns (id),
    character integer not null,
    name text not null,
    since integer not null,
    source text not null,
    level integer,
    lasts text constraint conditions_lasts_is_json check (lasts is null or json_valid(lasts)),
    caused_by integer,
    group_name text,
    until text constraint conditions_until_is_json check (until is null or json_valid(until)),
    cause text,
    hidden integer not null constraint conditions_hidden_is_a_flag check (hidden in (0, 1)),
    constraint conditions_key primary key (campaign, character, name)
) strict, without rowid;

-- What a character has; `hidden` from players, `properties` whatever else is kept of it.
create table items (
    campaign integer not null constraint items_campaign_exists references campaigns (id),
    character integer not null,
    name text not null,
    quantity integer not null constraint items_quantity_positive check (quantity > 0),
    equipped integer not null constraint items_equipped_is_a_flag check (equipped in (0, 1)),
    uses integer constraint items_uses_not_below_zero check (uses is null or uses >= 0),
    notes text not null,
    hidden integer not null constraint items_hidden_is_a_flag check (hidden in (0, 1)),
    properties text not null constraint items_properties_is_json check (json_valid(properties)),
    constraint items_key primary key (campaign, character, name)
) strict, without rowid;

-- `by_kind`: those of a kind have one initiative. `structure`: whether the fight has turns, where that is not as the rules begin one.
-- `interrupted`: whose turn was interrupted when the fight went on without turns; it goes on if turns begin again in the same round.
create table combats (
    campaign integer not null constraint combats_campaign_exists references campaigns (id),
    id integer not null,
    title text,
    status text not null constraint combats_status_known check (status in ('setup', 'running', 'ended')),
    round integer not null,
    current integer,
    outcome text,
    moved_at integer not null,
    advanced integer,
    by_kind integer not null constraint combats_by_kind_is_a_flag check (by_kind in (0, 1)),
    structure text constraint combats_structure_known check (structure is null or structure in ('turn_based', 'narrative')),
    interrupted integer,
    constraint combats_key primary key (campaign, id)
) strict, without rowid;

-- `ties` is a JSON array of what breaks ties, higher first, in the order the rules state. `extra` holds the initiatives of further turns
-- in each round, `again` how many of them have begun in `acted_round`.
create table combatants (
    campaign integer not null constraint combatants_campaign_exists references campaigns (id),
    id integer not null,
    combat integer not null,
    character integer not null,
    side text not null,
    initiative integer,
    ties text not null constraint combatants_ties_are_json check (json_valid(ties)),
    extra text constraint combatants_extra_is_json check (extra is null or json_valid(extra)),
    acted_round integer not null,
    again integer not null,
    defeated integer not null constraint combatants_defeated_is_a_flag check (defeated in (0, 1)),
    from_round integer not null,
    turn_at integer,
    hidden integer not null constraint combatants_hidden_is_a_flag check (hidden in (0, 1)),
    waits text constraint combatants_waits_known check (waits is null or waits in ('delayed', 'returned')),
    ready text,
    constraint combatants_key primary key (campaign, id)
) strict, without rowid;

-- What the GM writes down for the story, so that a later session finds it again: notes, scenes, discoveries, and threads, which are open
-- until another note closes them. `id` is the number of the entry that wrote it, `closed_by` the one that closed a thread; `hidden` from
-- players, but for the one whose character is the `reader`. A note that was taken back is gone.
create table notes (
    campaign integer not null constraint notes_campaign_exists references campaigns (id),
    id integer not null,
    session integer not null,
    kind text not null constraint notes_kind_known check (kind in ('note', 'scene', 'discovery', 'thread')),
    text text not null,
    hidden integer not null constraint notes_hidden_is_a_flag check (hidden in (0, 1)),
    closed_by integer,
    reader integer,
    constraint notes_key primary key (campaign, id)
) strict, without rowid;

-- What the party shares: clocks that fill up, and tracks such as supplies that run down. One that the rules declare has no row until
-- something changes it. `down`: it runs down. `hidden` from players; `closed` ones are done with.
create table clocks (
    campaign integer not null constraint clocks_campaign_exists references campaigns (id),
    name text not null,
    value integer not null,
    min integer not null,
    max integer,
    down integer not null constraint clocks_down_is_a_flag check (down in (0, 1)),
    hidden integer not null constraint clocks_hidden_is_a_flag check (hidden in (0, 1)),
    closed integer not null constraint clocks_closed_is_a_flag check (closed in (0, 1)),
    constraint clocks_key primary key (campaign, name),
    constraint clocks_range check (value >= min and (max is null or value <= max))
) strict, without rowid;

-- What is out of decks that stay drawn from one roll to the next. One that is whole has no row. `drawn`: the names of its cards that are
-- out, as a JSON list.
create table decks (
    campaign integer not null constraint decks_campaign_exists references campaigns (id),
    name text not null,
    drawn text not null,
    constraint decks_key primary key (campaign, name)
) strict, without rowid;

-- One row a roll, for an auditor: `individual_rolls` is a JSON array of every face in the order of the draws; `visible` is 1 where players
-- see the dice; `nth` counts the rolls of one entry from 1. The view `rolls` adds what the log says of each.
create table roll_rows (
    campaign integer not null constraint roll_rows_campaign_exists references campaigns (id),
    seq integer not null,
    nth integer not null,
    id text not null,
    time text not null,
    session integer not null,
    expression text not null,
    individual_rolls text not null constraint roll_rows_individual_rolls_are_json check (json_valid(individual_rolls)),
    total integer not null,
    explanation text not null,
    context text,
    purpose text not null,
    visible integer not null constraint roll_rows_visible_is_a_flag check (visible in (0, 1)),
    requested_by text not null,
    source text not null,
    constraint roll_rows_key primary key (campaign, seq, nth)
) strict, without rowid;

create index roll_rows_by_session on roll_rows (session);

-- Keys of seats: who may ask over HTTP, and for which campaign. They are no part of the log. Of a key only its SHA-256 is kept.
-- `table_of` is the campaign: a column named `campaign` would be copied with it, and a copy that is given away holds no keys.
create table keys (
    id text not null constraint keys_key primary key,
    hash blob not null constraint keys_hash_is_a_hash check (length(hash) = 32),
    table_of integer not null constraint keys_campaign_exists references campaigns (id),
    seat text not null constraint keys_seat_known check (seat in ('gm', 'player')),
    character text,
    created_at integer not null,
    expires_at integer,
    revoked_at integer,
    constraint keys_player_has_a_character check ((seat = 'player') = (character is not null))
) strict, without rowid;

-- `book` names this database in the checkpoints beside it, whatever the file is called; a copy has the same name.
create table book (
    id text not null constraint book_id_is_hex check (length(id) = 32)
) strict;

insert into book (id) values (lower(hex(randomblob(16))));

create trigger book_is_never_updated before update on book
begin
    select raise(abort, 'a book keeps its name');
end;

create trigger book_is_never_deleted before delete on book
begin
    select raise(abort, 'a book keeps its name');
end;

create trigger book_has_one_name before insert on book
begin
    select raise(abort, 'a book keeps its name');
end;

-- What the log is searched by. `words` holds the words of each entry, folded: in `gm` those of all of it, in `players` those of what
-- players saw, and nothing where they saw nothing. Its rowid is the entry's `log.id`. The program fills it in
-- when it is searched, from the last row on.
create virtual table words using fts5 (
    gm, players, content = '', contentless_delete = 1, detail = 'column', tokenize = "ascii tokenchars '_'"
);

-- The entries that players saw, by the number that they have for players: from 1, without gaps.
create table seen (
    campaign integer not null constraint seen_campaign_exists references campaigns (id),
    seq integer not null,
    n integer not null,
    constraint seen_key primary key (campaign, seq),
    constraint seen_number_unique unique (campaign, n)
) strict, without rowid;

-- The clock at the table: from `since` on it is `seconds` ahead of UTC there. Without rows, times are in UTC.
create table zone_offsets (
    campaign integer not null constraint zone_offsets_campaign_exists references campaigns (id),
    since integer not null,
    seconds integer not null,
    zone text not null,
    constraint zone_offsets_key primary key (campaign, since)
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

-- The log in tables that a person can ask: every roll, every die, checks, damage, initiative, turns and the story, with what was undone
-- marked, and times in the table's own zone. They are views over the log, so they cannot say anything else than it does.

-- Calls that were taken back, by the entry that did it: their first and their last entry.
create view undos as
select
    campaign,
    seq as n,
    json_extract(cast(body as text), '$.event.entry') as first,
    json_extract(cast(body as text), '$.event.last') as last
from log indexed by log_undone where kind = 'undone';

-- The log as the views below read it. An entry is undone if the last undo of its call is not undone itself, and so on.
create view facts as
select
    campaign,
    seq as n,
    seq,
    at,
    strftime('%Y-%m-%dT%H:%M:%S', at / 1000000, 'unixepoch') || printf('.%06dZ', at % 1000000) as time,
    coalesce(
        (select strftime('%Y-%m-%dT%H:%M:%S', log.at / 1000000 + seconds, 'unixepoch')
                || printf('%s%02d:%02d', iif(seconds < 0, '-', '+'), abs(seconds) / 3600, abs(seconds) / 60 % 60)
            from zone_offsets where campaign = log.campaign and since <= log.at order by since desc limit 1),
        strftime('%Y-%m-%dT%H:%M:%S+00:00', at / 1000000, 'unixepoch')
    ) as local_time,
    session,
    kind,
    visibility,
    actor,
    json_extract(cast(body as text), '$.event.combat') as fight,
    (with recursive later (n, depth) as (
        select log.seq, 0
        union all
        select (select max(undos.n) from undos where undos.campaign = log.campaign and undos.last >= later.n and undos.first = (
                select max(earlier.first) from undos as earlier where earlier.campaign = log.campaign and earlier.first <= +later.n)),
            depth + 1
        from later where later.n is not null
    ) select (max(depth) - 1) % 2 from later) as undone,
    cast(body as text) as body,
    cast(public as text) as public,
    json_extract(cast(body as text), '$.rolls') as rolls
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
    iif(facts.kind = 'check', coalesce(
        json_extract(facts.body, '$.event.skill'), json_extract(facts.body, '$.event.attribute'), json_extract(facts.body, '$.event.attack_name'),
        json_extract(facts.body, '$.event.check')
    ), null) as skill,
    coalesce(
        json_extract(facts.rolls, '$[' || (roll.nth - 1) || '].roll.verdict.target'),
        iif(roll.nth = 1, json_extract(facts.body, '$.event.target'), null)
    ) as target,
    coalesce(
        iif(roll.nth = 1, replace(json_extract(facts.body, '$.event.outcome'), '_', ' '), null),
        iif(json_extract(facts.rolls, '$[' || (roll.nth - 1) || '].roll.verdict.success'), 'success', null),
        iif(json_extract(facts.rolls, '$[' || (roll.nth - 1) || '].roll.verdict.success') = 0, 'failure', null)
    ) as outcome,
    facts.visibility,
    facts.undone
from roll_rows as roll left join facts on facts.campaign = roll.campaign and facts.n = roll.seq;

-- What follows is the same in a players' copy.

create view dice as
select
    facts.campaign,
    facts.n,
    facts.seq,
    roll.key + 1 as nth,
    facts.time,
    facts.local_time,
    facts.session,
    json_extract(roll.value, '$.by') as who,
    coalesce(json_extract(facts.body, '$.event.context'), nullif(replace(json_extract(roll.value, '$.purpose'), '_', ' '), '')) as what_for,
    json_extract(roll.value, '$.roll.expression') as expression,
    json_extract(roll.value, substr(die.path, 1, length(die.path) - 5) || '.sides') as sides,
    json_extract(die.value, '$.value') as value,
    (select json_group_array(json_extract(face.value, '$.value')) from json_each(die.value, '$.rolls') as face) as faces,
    json_extract(die.value, '$.kept') as kept,
    (select coalesce(group_concat(why.value, ', '), '') from (
        select face.value ->> '$.reason' as value from json_each(die.value, '$.rolls') as face where face.value ->> '$.reason' <> 'initial'
        union
        select special.value from json_each(die.value, '$.special') as special
    ) as why) as why,
    json_extract(roll.value, '$.source') as source,
    facts.visibility,
    facts.undone
from facts, json_each(facts.rolls) as roll, json_tree(roll.value, '$.roll') as die
where die.path like '%.dice' and die.type = 'object';

-- `skill` says what was rolled, as sentences do: the skill, else the attribute, else the attack, else the rule's name.
create view checks as
select
    campaign,
    n,
    seq,
    time,
    local_time,
    session,
    coalesce(json_extract(body, '$.event.subject.name'), actor) as who,
    json_extract(body, '$.event.check') as "check",
    coalesce(
        json_extract(body, '$.event.skill'), json_extract(body, '$.event.attribute'), json_extract(body, '$.event.attack_name'),
        json_extract(body, '$.event.check')
    ) as skill,
    json_extract(body, '$.event.attribute') as attribute,
    json_extract(body, '$.event.context') as what_for,
    json_extract(body, '$.event.against.name') as against,
    json_extract(rolls, '$[0].roll.expression') as expression,
    coalesce(json_extract(body, '$.event.successes'), json_extract(rolls, '$[0].roll.total')) as result,
    json_extract(body, '$.event.difficulty') as difficulty,
    json_extract(body, '$.event.target') as target,
    json_extract(body, '$.event.margin') as margin,
    replace(coalesce(json_extract(body, '$.event.outcome'), json_extract(public, '$.outcome')), '_', ' ') as outcome,
    coalesce(json_extract(body, '$.event.label'), json_extract(public, '$.label')) as label,
    json_extract(public, '$.text') as players_see,
    visibility,
    undone
from facts where kind = 'check';

-- `applied` is what the hit itself took or the cure gave, and not what else moved because of it (a box of bleeding at 0 hit points); `aside`
-- tells apart what is counted or spent and is nobody's health. What a sentence alone says in a players' copy has no steps.
create view damage as
select
    campaign,
    n,
    seq,
    time,
    local_time,
    session,
    coalesce(
        json_extract(body, '$.event.by.name'),
        (select json_extract(checked.body, '$.event.subject.name') from facts as rolled, facts as checked
            where rolled.campaign = facts.campaign and rolled.seq = json_extract(facts.body, '$.event.roll')
                and checked.campaign = facts.campaign and checked.seq = json_extract(rolled.body, '$.event.check')),
        (select nullif(json_extract(rolled.rolls, '$[0].by'), 'gm') from facts as rolled
            where rolled.campaign = facts.campaign and rolled.seq = json_extract(facts.body, '$.event.roll'))
    ) as attacker,
    json_extract(body, '$.event.subject.name') as target,
    json_extract(body, '$.event.track') as track,
    (select rolled.n from facts as rolled
        where rolled.campaign = facts.campaign and rolled.seq = json_extract(facts.body, '$.event.roll')) as roll,
    (select sum(json_extract(one.value, '$.roll.total')) from facts as rolled, json_each(rolled.rolls) as one
        where rolled.campaign = facts.campaign and rolled.seq = json_extract(facts.body, '$.event.roll')) as rolled,
    json_extract(body, '$.event.amount') as amount,
    json_extract(body, '$.event.damage_type') as damage_type,
    (select sum(abs(json_extract(change.value, '$.after.value') - json_extract(change.value, '$.before.value')))
        from json_each(facts.body, '$.changes') as change where json_extract(change.value, '$.entity') = 'track' and (
            json_extract(facts.body, '$.event.steps') is null or exists (select 1 from json_each(facts.body, '$.event.steps') as step
                where json_extract(step.value, '$.step') = json_extract(change.value, '$.after.name')))
    ) * iif(json_extract(body, '$.event.amount') < 0, -1, 1) as applied,
    json_extract(body, '$.event.reason') as reason,
    json_extract(public, '$.text') as players_see,
    visibility,
    undone,
    coalesce(json_extract(body, '$.event.aside'), 0) as aside
from facts where kind = 'damage';

create view initiative as
select
    campaign,
    n,
    seq,
    time,
    local_time,
    session,
    fight,
    json_extract(body, '$.event.subject.name') as who,
    coalesce(json_extract(body, '$.event.initiative'), json_extract(body, '$.event.after')) as initiative,
    case
        when json_extract(body, '$.event.act') = 'initiative_set' or (kind = 'combatant_joined' and actor = 'gm') then 'typed'
        when json_extract(body, '$.event.card') is not null then 'drawn'
        when json_array_length(rolls) > 0 then 'rolled'
        else 'shared or fixed'
    end as how,
    json_extract(body, '$.event.card') as card,
    json_extract(rolls, '$[0].roll.total') as rolled,
    visibility,
    undone
from facts
where kind in ('combatant_joined', 'combatant') and (
    (kind = 'combatant_joined' and json_extract(body, '$.event.initiative') is not null)
    or json_extract(body, '$.event.act') in ('initiative_set', 'initiative_rolled'));

create view turns as
select
    campaign,
    n,
    seq,
    time,
    local_time,
    session,
    fight,
    json_extract(body, '$.event.round') as round,
    case kind when 'turn_began' then 'turn' when 'round_began' then 'round' else 'taken back' end as what,
    coalesce(json_extract(body, '$.event.began.name'), json_extract(body, '$.event.back_to.name')) as who,
    coalesce(json_extract(body, '$.event.ended.name'), json_extract(body, '$.event.from.name')) as ended,
    json_extract(public, '$.text') as players_see,
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
    iif(kind = 'note', coalesce(json_extract(body, '$.event.note'), 'note'), kind) as what,
    coalesce(json_extract(body, '$.event.subject.name'), json_extract(body, '$.event.name')) as who,
    coalesce(
        json_extract(body, '$.event.text'), json_extract(public, '$.text'), json_extract(body, '$.event.title'),
        json_extract(body, '$.event.outcome'), json_extract(body, '$.event.reason')
    ) as text,
    json_extract(public, '$.text') as players_see,
    visibility,
    undone
from facts
where kind in ('session_started', 'session_ended', 'note', 'clock', 'time', 'combat_started', 'structure_changed', 'combat_ended', 'awarded',
        'items', 'level_up', 'character_created', 'retired', 'rested', 'campaign_created', 'campaign_renamed', 'loss_accepted', 'restored',
        'damage', 'combatant')
    and (kind <> 'items' or json_extract(body, '$.event.awarded'))
    and (kind <> 'damage' or exists (select 1 from json_each(body, '$.event.gained') as gained where lower(gained.value) = 'dead'))
    and (kind <> 'combatant' or json_extract(body, '$.event.act') = 'defeated');
