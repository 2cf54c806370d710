-- `applied` is what the blow itself took or the cure gave, and not what else moved because of it (a box of bleeding at 0 hit points); `aside`
-- tells apart what is counted or spent and is nobody's health.

-- What follows is the same in a players' copy.

drop view damage;

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
