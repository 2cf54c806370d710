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
    iif(facts.kind = 'check', coalesce(
        json_extract(facts.body, '$.event.skill'), json_extract(facts.body, '$.event.attribute'), json_extract(facts.body, '$.event.attack_name'),
        json_extract(facts.body, '$.event.check')
    ), null) as skill,
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

drop view checks;

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
