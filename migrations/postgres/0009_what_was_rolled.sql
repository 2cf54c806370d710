-- The column `skill` says what was rolled, as sentences do: the skill, else the attribute, else the attack, else the rule's name.

drop view rolls;

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
    case when facts.kind = 'check' then coalesce(
        facts.body #>> '{event,skill}', facts.body #>> '{event,attribute}', facts.body #>> '{event,attack_name}', facts.body #>> '{event,check}'
    ) end as skill,
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

drop view checks;

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
