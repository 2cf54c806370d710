-- The players' file. `proof` holds what re-computes the chain, and which entry has which number here; everything else numbers only what
-- players see. `facts` is what the views for people read, which follow these in the schema of a database. Where the body of an entry is
-- not theirs, `told` has what their sentence says of it, in the form of a body; and of an entry that opens another, the body of that one.

create table campaign (
    name text not null,
    uuid text not null,
    audience text not null,
    after_seq integer,
    after_chain blob
) strict;

create table entries (
    n integer primary key,
    at integer not null,
    time text not null,
    session integer not null,
    kind text not null,
    actor text,
    text text not null,
    outcome text,
    label text,
    visibility text not null,
    rule text
) strict;

create table roll_rows (
    n integer not null references entries (n),
    nth integer not null,
    id text not null,
    expression text not null,
    individual_rolls text not null,
    total integer not null,
    explanation text not null,
    purpose text not null,
    visible integer not null,
    requested_by text not null,
    source text not null,
    primary key (n, nth)
) strict, without rowid;

create table proof (
    seq integer primary key,
    public blob not null,
    commitment blob not null,
    chain blob not null,
    salt blob,
    body blob,
    n integer,
    players_n integer
) strict;

create index proof_by_number on proof (n) where n is not null;

create table told (
    n integer primary key references entries (n),
    body text not null
) strict;

create table closings (
    closes integer not null,
    n integer not null,
    primary key (closes, n)
) strict, without rowid;

create table undos (
    campaign integer not null,
    n integer primary key,
    first integer not null,
    last integer not null
) strict;

create table zone_offsets (
    campaign integer not null,
    since integer not null,
    seconds integer not null,
    zone text not null,
    primary key (campaign, since)
) strict, without rowid;

create view seen as
select 1 as campaign, seq, players_n as n
from proof where players_n is not null;

create view facts as
select
    1 as campaign,
    entries.n,
    proof.seq,
    entries.at,
    entries.time,
    coalesce(
        (select strftime('%Y-%m-%dT%H:%M:%S', entries.at / 1000000 + seconds, 'unixepoch')
                || printf('%s%02d:%02d', iif(seconds < 0, '-', '+'), abs(seconds) / 3600, abs(seconds) / 60 % 60)
            from zone_offsets where since <= entries.at order by since desc limit 1),
        substr(entries.time, 1, 19) || '+00:00'
    ) as local_time,
    entries.session,
    entries.kind,
    entries.visibility,
    entries.actor,
    iif((select audience from campaign) = 'gm', json_extract(cast(proof.body as text), '$.event.combat'),
        (select min(began.n) from proof as began where began.n is not null
            and began.seq = (select min(first.seq) from proof as first where first.n is not null
                and first.seq >= json_extract(coalesce(told.body, cast(proof.body as text)), '$.event.combat')))) as fight,
    (with recursive later (n, depth) as (
        select entries.n, 0
        union all
        select (select max(undos.n) from undos where undos.last >= later.n and undos.first = (
                select max(own.first) from undos as own where own.first <= +later.n)),
            depth + 1
        from later where later.n is not null
    ) select (max(depth) - 1) % 2 from later) as undone,
    coalesce(told.body, cast(proof.body as text)) as body,
    cast(proof.public as text) as public,
    coalesce(
        json_extract(coalesce(told.body, cast(proof.body as text)), '$.rolls'),
        json_extract(cast(proof.public as text), '$.rolls')
    ) as rolls
from entries join proof on proof.n = entries.n left join told on told.n = entries.n;

create view rolls as
select
    facts.campaign,
    facts.seq,
    own.nth,
    own.id,
    facts.time,
    facts.session,
    own.expression,
    own.individual_rolls,
    own.total,
    own.explanation,
    json_extract(facts.body, '$.event.context') as context,
    own.purpose,
    own.visible,
    own.requested_by,
    own.source,
    own.n,
    facts.local_time,
    own.requested_by as who,
    coalesce(json_extract(facts.body, '$.event.context'), nullif(replace(own.purpose, '_', ' '), '')) as what_for,
    iif(facts.kind = 'check', coalesce(
        json_extract(facts.body, '$.event.skill'), json_extract(facts.body, '$.event.attribute'), json_extract(facts.body, '$.event.attack_name'),
        json_extract(facts.body, '$.event.check')
    ), null) as skill,
    coalesce(
        json_extract(facts.rolls, '$[' || (own.nth - 1) || '].roll.verdict.target'),
        iif(own.nth = 1, json_extract(facts.body, '$.event.target'), null)
    ) as target,
    coalesce(
        iif(own.nth = 1, replace(coalesce(json_extract(facts.body, '$.event.outcome'), json_extract(facts.public, '$.outcome')), '_', ' '), null),
        iif(json_extract(facts.rolls, '$[' || (own.nth - 1) || '].roll.verdict.success'), 'success', null),
        iif(json_extract(facts.rolls, '$[' || (own.nth - 1) || '].roll.verdict.success') = 0, 'failure', null)
    ) as outcome,
    facts.visibility,
    facts.undone
from roll_rows as own join facts on facts.n = own.n;

create view notes as
select
    campaign,
    n as id,
    session,
    coalesce(json_extract(body, '$.event.note'), 'note') as kind,
    coalesce(json_extract(body, '$.event.text'), json_extract(public, '$.text')) as text,
    coalesce(json_extract(public, '$.hidden'), 0) as hidden,
    (select min(own.n) from closings as own join facts as closing on closing.n = own.n
        where own.closes = facts.n and not closing.undone) as closed_by,
    null as reader
from facts where kind = 'note' and not undone;
