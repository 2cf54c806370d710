-- A condition may be hidden from players, until it is revealed.
alter table conditions add column hidden boolean not null default false;

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
        'level_up', 'character_created', 'retired', 'campaign_renamed', 'damage', 'combatant')
    and (kind <> 'damage' or exists (select 1 from jsonb_array_elements_text(body #> '{event,gained}') as gained (value)
        where lower(gained.value) = 'dead'))
    and (kind <> 'combatant' or body #>> '{event,act}' = 'defeated');
