-- What was awarded in things, rests, and what became of the log itself are part of the story.
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
        'items', 'level_up', 'character_created', 'retired', 'rested', 'campaign_created', 'campaign_renamed', 'loss_accepted', 'restored',
        'damage', 'combatant')
    and (kind <> 'items' or (body #>> '{event,awarded}')::boolean)
    and (kind <> 'damage' or exists (select 1 from jsonb_array_elements_text(body #> '{event,gained}') as gained (value)
        where lower(gained.value) = 'dead'))
    and (kind <> 'combatant' or body #>> '{event,act}' = 'defeated');
