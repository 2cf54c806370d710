-- A fight in which those of a kind have one initiative.
alter table combats add column by_kind integer not null default 0
    constraint combats_by_kind_is_a_flag check (by_kind in (0, 1));
