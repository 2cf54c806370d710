-- What needs all rows of a players' file: made when they are there.

create index entries_by_kind on entries (kind);

insert into undos (campaign, n, first, last)
select 1, own.n, min(proof.n), max(proof.n)
from (
    select
        entries.n,
        json_extract(cast(proof.body as text), '$.event.entry') as first,
        json_extract(cast(proof.body as text), '$.event.last') as last
    from entries join proof on proof.n = entries.n
    where entries.kind = 'undone' and proof.body is not null
) as own join proof on proof.seq between own.first and own.last
where proof.n is not null
group by own.n;

-- What was opened is what it is, where players had seen nothing of it; else it is beside what they had seen.
update entries set
    visibility = 'revealed',
    kind = coalesce(
        (select json_extract(told.body, '$.event.kind') from told where told.n = entries.n and not exists (
            select 1 from proof as own join proof as sealed on sealed.seq = json_extract(cast(own.body as text), '$.event.entry')
            where own.n = entries.n and sealed.n is not null)),
        kind
    )
where kind = 'revealed' and n in (select n from told);

insert into closings (closes, n)
select thread.n, entries.n
from entries join proof on proof.n = entries.n left join told on told.n = entries.n
    join proof as thread on thread.seq = json_extract(coalesce(told.body, cast(proof.body as text)), '$.event.closes.entry')
where entries.kind = 'note' and thread.n is not null;

-- The fight is that of the entry of a fight before; where players have no body of it, it is the one that began last.
update told set body = json_set(body, '$.event.combat', (
    select coalesce(json_extract(cast(proof.body as text), '$.event.combat'), proof.seq)
    from entries as own join proof on proof.n = own.n
    where own.n <= told.n and (own.kind = 'combat_started' or (proof.body is not null
        and own.kind in ('turn_began', 'round_began', 'turn_taken_back', 'combatant_joined', 'combatant', 'structure_changed', 'combat_ended')))
    order by own.n desc limit 1))
where json_extract(body, '$.event.combat') is null and n in (
    select n from entries where kind in ('turn_began', 'round_began', 'turn_taken_back', 'combatant_joined', 'combatant'));

-- Of a hit by a check, and of dice for several, players saw the damage roll a moment before, in the same call.
update told set body = json_set(body, '$.event.roll', (
    select proof.seq
    from entries as own
        join entries as rolled on rolled.n between own.n - 50 and own.n - 1 and rolled.at = own.at and rolled.kind in ('roll', 'roll_set')
        join proof on proof.n = rolled.n
    where own.n = told.n
        and not exists (select 1 from entries as other where other.n > rolled.n and other.n < own.n
            and other.kind not in ('damage', 'effects', 'combatant', 'check'))
        and coalesce(json_extract(cast(proof.body as text), '$.event.check'), json_extract(cast(proof.body as text), '$.event.deals')) is not null
    order by rolled.n desc limit 1))
where json_extract(body, '$.event.roll') is null and n in (select n from entries where kind = 'damage' and visibility <> 'revealed');

-- What had been taken back before it was opened is undone where it is opened. No entry has a number below zero.
insert into undos (campaign, n, first, last)
select 1, -entries.n, entries.n, entries.n
from entries join told on told.n = entries.n join proof on proof.n = entries.n
where entries.visibility = 'revealed' and json_extract(cast(proof.body as text), '$.event.undone');

create index undos_by_call on undos (first);
create index entries_by_session on entries (session, n, kind);
