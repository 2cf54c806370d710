-- A condition may be hidden from players, until it is revealed.
alter table conditions add column hidden integer not null default 0
    constraint conditions_hidden_is_a_flag check (hidden in (0, 1));

-- What follows is the same in a players' copy.

-- Time that passes in the game is part of the story.
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
        'level_up', 'character_created', 'retired', 'campaign_renamed', 'damage', 'combatant')
    and (kind <> 'damage' or exists (select 1 from json_each(body, '$.event.gained') as gained where lower(gained.value) = 'dead'))
    and (kind <> 'combatant' or json_extract(body, '$.event.act') = 'defeated');
