-- What is out of decks that stay drawn from one roll to the next.

-- One that is whole has no row. `drawn`: the names of its cards that are out, as a JSON list.
create table decks (
    campaign bigint not null constraint decks_campaign_exists references campaigns (id),
    name text not null,
    drawn text not null,
    constraint decks_key primary key (campaign, name)
);
