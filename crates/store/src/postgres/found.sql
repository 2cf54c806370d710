-- In tgtype: 1 each row, 2 before, 4 insert, 8 delete, 16 update, 32 truncate. Indexes of constraints come with them.
select case object.relkind when 'v' then 'view' when 'i' then 'index' else 'table' end as kind, object.relname::text as name,
    '' as text
    from pg_catalog.pg_class as object join pg_catalog.pg_namespace as space on space.oid = object.relnamespace
    where space.nspname = current_schema() and object.relkind in ('r', 'p', 'v', 'i') and object.relname <> '_sqlx_migrations'
        and not exists (select 1 from pg_catalog.pg_constraint as made where made.conindid = object.oid and made.contype in ('p', 'u'))
        and not exists (select 1 from pg_catalog.pg_depend as part
            where part.classid = 'pg_catalog.pg_class'::regclass and part.objid = object.oid and part.deptype = 'e')
 union all
 select 'function', object.proname::text, object.prosrc
    from pg_catalog.pg_proc as object join pg_catalog.pg_namespace as space on space.oid = object.pronamespace
    where space.nspname = current_schema()
 union all
 select 'trigger', object.tgname::text, on_.relname || ' ' || called.proname
    || case when object.tgtype & 2 > 0 then ' before' else ' after' end
    || case object.tgtype & 60 when 4 then ' insert' when 8 then ' delete' when 16 then ' update' when 32 then ' truncate'
        else ' several' end
    || case when object.tgtype & 1 > 0 then ' row ' else ' statement ' end || object.tgenabled::text
    from pg_catalog.pg_trigger as object join pg_catalog.pg_class as on_ on on_.oid = object.tgrelid
    join pg_catalog.pg_namespace as space on space.oid = on_.relnamespace
    join pg_catalog.pg_proc as called on called.oid = object.tgfoid
    where space.nspname = current_schema() and not object.tgisinternal
