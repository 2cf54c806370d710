-- What the GM writes down for the story, so that a later session finds it again: notes, scenes, discoveries, and threads, which are
-- open until another note closes them.

-- `id` is the number of the entry that wrote it, `closed_by` the one that closed a thread; `hidden` from players. A note that was taken
-- back is gone.
create table notes (
    campaign integer not null constraint notes_campaign_exists references campaigns (id),
    id integer not null,
    session integer not null,
    kind text not null constraint notes_kind_known check (kind in ('note', 'scene', 'discovery', 'thread')),
    text text not null,
    hidden integer not null constraint notes_hidden_is_a_flag check (hidden in (0, 1)),
    closed_by integer,
    constraint notes_key primary key (campaign, id)
) strict, without rowid;
