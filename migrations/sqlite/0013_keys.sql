-- Keys of seats: who may ask over HTTP, and for which campaign. They are no part of the log.

-- Of a key only its SHA-256 is kept. `table_of` is the campaign: a column named `campaign` would be copied with it, and a copy that is
-- given away holds no keys.
create table keys (
    id text not null constraint keys_key primary key,
    hash blob not null constraint keys_hash_is_a_hash check (length(hash) = 32),
    table_of integer not null constraint keys_campaign_exists references campaigns (id),
    seat text not null constraint keys_seat_known check (seat in ('gm', 'player')),
    character text,
    created_at integer not null,
    expires_at integer,
    revoked_at integer,
    constraint keys_player_has_a_character check ((seat = 'player') = (character is not null))
) strict, without rowid;
