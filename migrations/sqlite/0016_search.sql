-- What the log is searched by. `words` holds the words of each entry, folded: in `gm` those of all of it, in `players` those of what
-- players saw, and nothing where they saw nothing. Its rowid is the entry's `log.id`. The program fills it in
-- when somebody searches, from the last row on.

create virtual table words using fts5 (
    gm, players, content = '', contentless_delete = 1, detail = 'column', tokenize = "ascii tokenchars '_'"
);

-- The entries that players saw, by the number that they have for players: from 1, without gaps.
create table seen (
    campaign integer not null constraint seen_campaign_exists references campaigns (id),
    seq integer not null,
    n integer not null,
    constraint seen_key primary key (campaign, seq),
    constraint seen_number_unique unique (campaign, n)
) strict, without rowid;
