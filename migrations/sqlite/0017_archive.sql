-- Old sessions may lie in a file of their own, a segment, so that the database stays small. What is kept here of each of their entries
-- answers for it without the file: its place in the chain, its session and its time. Both tables only grow, and the log lets go only what
-- they hold.

-- `chain` is the chain value of the entry `last`, `seen_n` and `seen` end the chain over what players had seen by then, and `ended` is
-- the last end of a session by then that says the same. `folder` is where the file was written; `bytes` and `sha256` are the file's, and null
-- in the segment itself, which holds its entries and takes no others.
create table segments (
    campaign integer not null constraint segments_campaign_exists references campaigns (id),
    first integer not null constraint segments_first_positive check (first >= 1),
    last integer not null constraint segments_in_order check (last >= first),
    first_session integer not null,
    last_session integer not null,
    chain blob not null constraint segments_chain_is_a_hash check (length(chain) = 32),
    seen_n integer not null,
    seen blob not null constraint segments_seen_is_a_hash check (length(seen) = 32),
    ended integer,
    file text not null,
    folder text not null,
    bytes integer,
    sha256 blob constraint segments_sha256_is_a_hash check (length(sha256) = 32),
    constraint segments_key primary key (campaign, first),
    constraint segments_are_sealed check ((bytes is null) = (sha256 is null))
) strict, without rowid;

create trigger segments_are_never_updated before update on segments
begin
    select raise(abort, 'segments are kept as they were sealed');
end;

create trigger segments_are_never_deleted before delete on segments
begin
    select raise(abort, 'segments are kept as they were sealed');
end;

-- The last entry always stays in the log: the next one is linked to it.
create trigger segments_follow_each_other before insert on segments
begin
    select raise(abort, 'a segment begins behind the one before it')
    where new.first <> (select coalesce(max(last), 0) + 1 from segments where campaign = new.campaign);
    select raise(abort, 'the last entry of a log is not archived')
    where new.sha256 is not null and new.last >= (select coalesce(max(seq), 0) from log where campaign = new.campaign);
end;

create table archived (
    campaign integer not null constraint archived_campaign_exists references campaigns (id),
    seq integer not null,
    session integer not null,
    at integer not null,
    chain blob not null constraint archived_chain_is_a_hash check (length(chain) = 32),
    constraint archived_key primary key (campaign, seq)
) strict, without rowid;

create trigger archived_entries_are_never_updated before update on archived
begin
    select raise(abort, 'archived entries are kept as they were');
end;

create trigger archived_entries_are_never_deleted before delete on archived
begin
    select raise(abort, 'archived entries are kept as they were');
end;

create trigger archived_entries_are_of_the_log before insert on archived
begin
    select raise(abort, 'only an entry of the log that lies in a segment is archived')
    where not exists (
        select 1 from log join segments on segments.campaign = log.campaign and log.seq between segments.first and segments.last
        where log.campaign = new.campaign and log.seq = new.seq and log.chain = new.chain and log.session = new.session
            and log.at = new.at and segments.sha256 is not null
    );
end;

drop trigger log_is_never_deleted;

create trigger log_is_never_deleted before delete on log
begin
    select raise(abort, 'the log is append-only: entries are never removed')
    where not exists (
        select 1 from archived join segments on segments.campaign = archived.campaign and archived.seq between segments.first and segments.last
        where archived.campaign = old.campaign and archived.seq = old.seq and archived.chain = old.chain and segments.sha256 is not null
    );
end;

create trigger log_of_a_segment_is_sealed before insert on log
begin
    select raise(abort, 'a segment is sealed: play in the database that it belongs to')
    where exists (select 1 from segments where campaign = new.campaign and sha256 is null);
end;
