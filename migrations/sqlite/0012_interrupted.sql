-- Whose turn was interrupted when a fight went on without turns: it goes on if turns begin again in the same round.
alter table combats add column interrupted integer;
