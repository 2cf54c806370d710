-- What the company shares: clocks that fill up, and tracks such as supplies that run down.

-- One that the rules declare has no row until something changes it. `down`: it runs down. `hidden` from players; `closed` ones are
-- done with.
create table clocks (
    campaign integer not null constraint clocks_campaign_exists references campaigns (id),
    name text not null,
    value integer not null,
    min integer not null,
    max integer,
    down integer not null constraint clocks_down_is_a_flag check (down in (0, 1)),
    hidden integer not null constraint clocks_hidden_is_a_flag check (hidden in (0, 1)),
    closed integer not null constraint clocks_closed_is_a_flag check (closed in (0, 1)),
    constraint clocks_key primary key (campaign, name),
    constraint clocks_range check (value >= min and (max is null or value <= max))
) strict, without rowid;
