-- The log in tables that a person can ask: every roll, every die, checks, damage, initiative, turns and the story, with what was undone
-- marked, and times in the table's own zone. They are views over the log, so they cannot say anything else than it does.

-- `rolls` is a view over what was its table, with more columns.
alter table rolls rename to roll_rows;

create index roll_rows_by_session on roll_rows (session);
create index log_by_session on log (session, seq, kind, campaign);
create index log_undone on log (campaign, json_extract(cast(body as text), '$.event.entry')) where kind = 'undone';

-- The clock at the table: from `since` on it is `seconds` ahead of UTC there. Without rows, times are told in UTC.
create table zone_offsets (
    campaign integer not null constraint zone_offsets_campaign_exists references campaigns (id),
    since integer not null,
    seconds integer not null,
    zone text not null,
    constraint zone_offsets_key primary key (campaign, since)
) strict, without rowid;

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
                select max(own.first) from undos as own where own.campaign = log.campaign and own.first <= +later.n)),
            depth + 1
        from later where later.n is not null
    ) select (max(depth) - 1) % 2 from later) as undone,
    cast(body as text) as body,
    cast(public as text) as public,
    json_extract(cast(body as text), '$.rolls') as rolls
from log;

create view rolls as
select
    own.campaign,
    own.seq,
    own.nth,
    own.id,
    own.time,
    own.session,
    own.expression,
    own.individual_rolls,
    own.total,
    own.explanation,
    own.context,
    own.purpose,
    own.visible,
    own.requested_by,
    own.source,
    own.seq as n,
    facts.local_time,
    own.requested_by as who,
    coalesce(own.context, nullif(replace(own.purpose, '_', ' '), '')) as what_for,
    json_extract(facts.body, '$.event.skill') as skill,
    coalesce(
        json_extract(facts.rolls, '$[' || (own.nth - 1) || '].roll.verdict.target'),
        iif(own.nth = 1, json_extract(facts.body, '$.event.target'), null)
    ) as target,
    coalesce(
        iif(own.nth = 1, replace(json_extract(facts.body, '$.event.outcome'), '_', ' '), null),
        iif(json_extract(facts.rolls, '$[' || (own.nth - 1) || '].roll.verdict.success'), 'success', null),
        iif(json_extract(facts.rolls, '$[' || (own.nth - 1) || '].roll.verdict.success') = 0, 'failure', null)
    ) as outcome,
    facts.visibility,
    facts.undone
from roll_rows as own left join facts on facts.campaign = own.campaign and facts.n = own.seq;

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
    json_extract(body, '$.event.skill') as skill,
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
        from json_each(facts.body, '$.changes') as change where json_extract(change.value, '$.entity') = 'track'
    ) * iif(json_extract(body, '$.event.amount') < 0, -1, 1) as applied,
    json_extract(body, '$.event.reason') as reason,
    json_extract(public, '$.text') as players_see,
    visibility,
    undone
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
where kind in ('session_started', 'session_ended', 'note', 'clock', 'combat_started', 'structure_changed', 'combat_ended', 'awarded',
        'level_up', 'character_created', 'retired', 'campaign_renamed', 'damage', 'combatant')
    and (kind <> 'damage' or exists (select 1 from json_each(body, '$.event.gained') as gained where lower(gained.value) = 'dead'))
    and (kind <> 'combatant' or json_extract(body, '$.event.act') = 'defeated');
