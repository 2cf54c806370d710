-- What was awarded in things, rests, and what became of the log itself are part of the story.

-- What follows is the same in a players' copy.

drop view story;

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
