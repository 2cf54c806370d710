-- The log in tables that a person can ask: every roll, every die, checks, damage, initiative, turns and the story, with what was undone
-- marked, and times in the table's own zone. They are views over the log, so they cannot say anything else than it does.

-- `rolls` is a view over what was its table, with more columns.
alter table rolls rename to roll_rows;

create function entry_json(bytea) returns jsonb language sql immutable strict parallel safe as $$
    select convert_from($1, 'UTF8')::jsonb
$$;

create index roll_rows_by_session on roll_rows (session);

create index log_by_session on log (session, seq, kind, campaign);

create index log_undone on log (campaign, ((entry_json(body) #>> '{event,entry}')::bigint)) where kind = 'undone';

-- The clock at the table: from `since` on it is `seconds` ahead of UTC there. Without rows, times are told in UTC.
create table zone_offsets (
    campaign bigint not null constraint zone_offsets_campaign_exists references campaigns (id),
    since bigint not null,
    seconds bigint not null,
    zone text not null,
    constraint zone_offsets_key primary key (campaign, since)
);

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
                select max(own.first) from undos as own where own.campaign = log.campaign and own.first <= later.n)),
            depth + 1
        from later where later.n is not null
    ) select (max(depth) - 1) % 2 = 1 from later) as undone,
    entry_json(body) as body,
    entry_json(public) as public,
    entry_json(body) -> 'rolls' as rolls
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
    facts.body #>> '{event,skill}' as skill,
    coalesce(
        (facts.rolls -> (own.nth - 1)::int #>> '{roll,verdict,target}')::bigint,
        case when own.nth = 1 then (facts.body #>> '{event,target}')::bigint end
    ) as target,
    coalesce(
        case when own.nth = 1 then replace(facts.body #>> '{event,outcome}', '_', ' ') end,
        case facts.rolls -> (own.nth - 1)::int #>> '{roll,verdict,success}' when 'true' then 'success' when 'false' then 'failure' end
    ) as outcome,
    facts.visibility,
    facts.undone
from roll_rows as own left join facts on facts.campaign = own.campaign and facts.n = own.seq;

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
    body #>> '{event,skill}' as skill,
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
        from jsonb_array_elements(facts.body -> 'changes') as change (value) where change.value ->> 'entity' = 'track'
    ) * case when (facts.body #>> '{event,amount}')::bigint < 0 then -1 else 1 end as applied,
    facts.body #>> '{event,reason}' as reason,
    facts.public ->> 'text' as players_see,
    facts.visibility,
    facts.undone
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
where kind in ('session_started', 'session_ended', 'note', 'clock', 'combat_started', 'structure_changed', 'combat_ended', 'awarded',
        'level_up', 'character_created', 'retired', 'campaign_renamed', 'damage', 'combatant')
    and (kind <> 'damage' or exists (select 1 from jsonb_array_elements_text(body #> '{event,gained}') as gained (value)
        where lower(gained.value) = 'dead'))
    and (kind <> 'combatant' or body #>> '{event,act}' = 'defeated');
