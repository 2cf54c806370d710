-- What the log is searched by: the words of each entry, folded. In `gm` those of all of it, in `players` those of what players saw; null
-- where they saw nothing. `n` is the number that the entry has for players: from 1, without gaps. The program fills them in
-- when somebody searches, from the last row on.

create table words (
    campaign bigint not null constraint words_campaign_exists references campaigns (id),
    seq bigint not null,
    n bigint,
    gm tsvector not null,
    players tsvector,
    constraint words_key primary key (campaign, seq),
    constraint words_number_unique unique (campaign, n)
);

create index words_of_gm on words using gin (gm);

create index words_of_players on words using gin (players);

-- The entries that players saw.
create view seen as select campaign, seq, n from words where n is not null;
