-- Old sessions may lie in a file of their own, a segment, so that the database stays small. What is kept here of each of their entries
-- answers for it without the file: its place in the chain, its session and its time. Both tables only grow, and the log lets go only what
-- they hold.

-- `chain` is the chain value of the entry `last`, `seen_n` and `seen` end the chain over what players had seen by then, and `ended` is
-- the last end of a session by then that says the same. `folder` is where the file was written; `bytes` and `sha256` are the file's.
create table segments (
    campaign bigint not null constraint segments_campaign_exists references campaigns (id),
    first bigint not null constraint segments_first_positive check (first >= 1),
    last bigint not null constraint segments_in_order check (last >= first),
    first_session bigint not null,
    last_session bigint not null,
    chain bytea not null constraint segments_chain_is_a_hash check (octet_length(chain) = 32),
    seen_n bigint not null,
    seen bytea not null constraint segments_seen_is_a_hash check (octet_length(seen) = 32),
    ended bigint,
    file text not null,
    folder text not null,
    bytes bigint not null,
    sha256 bytea not null constraint segments_sha256_is_a_hash check (octet_length(sha256) = 32),
    constraint segments_key primary key (campaign, first)
);

create function segments_are_kept() returns trigger language plpgsql as $$
begin
    raise exception 'segments are kept as they were sealed';
end
$$;

create trigger segments_are_never_updated before update on segments
for each row execute function segments_are_kept();

create trigger segments_are_never_deleted before delete on segments
for each row execute function segments_are_kept();

create trigger segments_are_never_emptied before truncate on segments
for each statement execute function segments_are_kept();

-- The last entry always stays in the log: the next one is linked to it.
create function segments_follow_each_other() returns trigger language plpgsql as $$
begin
    if new.first <> (select coalesce(max(last), 0) + 1 from segments where campaign = new.campaign) then
        raise exception 'a segment begins behind the one before it';
    end if;
    if new.last >= (select coalesce(max(seq), 0) from log where campaign = new.campaign) then
        raise exception 'the last entry of a log is not archived';
    end if;
    return new;
end
$$;

create trigger segments_follow_each_other before insert on segments
for each row execute function segments_follow_each_other();

create table archived (
    campaign bigint not null constraint archived_campaign_exists references campaigns (id),
    seq bigint not null,
    session bigint not null,
    at bigint not null,
    chain bytea not null constraint archived_chain_is_a_hash check (octet_length(chain) = 32),
    constraint archived_key primary key (campaign, seq)
);

create function archived_entries_are_kept() returns trigger language plpgsql as $$
begin
    raise exception 'archived entries are kept as they were';
end
$$;

create trigger archived_entries_are_never_updated before update on archived
for each row execute function archived_entries_are_kept();

create trigger archived_entries_are_never_deleted before delete on archived
for each row execute function archived_entries_are_kept();

create trigger archived_entries_are_never_emptied before truncate on archived
for each statement execute function archived_entries_are_kept();

create function archived_entries_are_of_the_log() returns trigger language plpgsql as $$
begin
    if not exists (
        select 1 from log join segments on segments.campaign = log.campaign and log.seq between segments.first and segments.last
        where log.campaign = new.campaign and log.seq = new.seq and log.chain = new.chain and log.session = new.session
            and log.at = new.at
    ) then
        raise exception 'only an entry of the log that lies in a segment is archived';
    end if;
    return new;
end
$$;

create trigger archived_entries_are_of_the_log before insert on archived
for each row execute function archived_entries_are_of_the_log();

create function log_lets_go_what_is_archived() returns trigger language plpgsql as $$
begin
    if not exists (
        select 1 from archived join segments on segments.campaign = archived.campaign and archived.seq between segments.first and segments.last
        where archived.campaign = old.campaign and archived.seq = old.seq and archived.chain = old.chain
    ) then
        raise exception 'the log is append-only: entries are never removed';
    end if;
    return old;
end
$$;

drop trigger log_is_never_deleted on log;

create trigger log_is_never_deleted before delete on log
for each row execute function log_lets_go_what_is_archived();
