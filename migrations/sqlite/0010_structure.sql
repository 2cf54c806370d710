-- Whether a fight has turns, where that is not as the rules begin a fight.
alter table combats add column structure text
    constraint combats_structure_known check (structure is null or structure in ('turn_based', 'narrative'));
