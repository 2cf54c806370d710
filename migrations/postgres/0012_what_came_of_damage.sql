-- `applied` is what the blow itself took or the cure gave, and not what else moved because of it (a box of bleeding at 0 hit points); `aside`
-- tells apart what is counted or spent and is nobody's health.

drop view damage;

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
