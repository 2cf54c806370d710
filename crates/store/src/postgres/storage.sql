select 'its index ' || object.relname::text || ' is not valid' as problem from pg_catalog.pg_index as kept
    join pg_catalog.pg_class as object on object.oid = kept.indexrelid
    join pg_catalog.pg_namespace as space on space.oid = object.relnamespace
    where space.nspname = current_schema() and not (kept.indisvalid and kept.indisready)
 union all
 select 'its constraint ' || kept.conname::text || ' was never checked' from pg_catalog.pg_constraint as kept
    join pg_catalog.pg_namespace as space on space.oid = kept.connamespace
    where space.nspname = current_schema() and not kept.convalidated
 order by 1
