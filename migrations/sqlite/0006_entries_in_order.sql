-- The view `entries` in the order of its entries is a walk along an index, also over several campaigns; and an undo finds the
-- last changes without reading the dice that fell since.

create index log_by_entry on log (seq, campaign, kind);
