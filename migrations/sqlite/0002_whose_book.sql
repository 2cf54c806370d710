-- Whose file this is, which book it is, what binds a kept answer to the log, and how bad a condition is.
--
-- `application_id` ("Roll") stands in the file's header, so that a start tells its own database from somebody else's before
-- it writes. `book` names this database in the checkpoints beside it, whatever the file is called; a copy has the same name.

pragma application_id = 1383033964;

create table book (
    id text not null constraint book_id_is_hex check (length(id) = 32)
) strict;

insert into book (id) values (lower(hex(randomblob(16))));

create trigger book_is_never_updated before update on book
begin
    select raise(abort, 'a book keeps its name');
end;

create trigger book_is_never_deleted before delete on book
begin
    select raise(abort, 'a book keeps its name');
end;

create trigger book_has_one_name before insert on book
begin
    select raise(abort, 'a book keeps its name');
end;

-- With a salt, `reply` is exactly the text whose hash stands in the body of the entry `seq`, and lacks the receipt, which
-- follows from that entry. Answers kept before have no salt, and their receipt in the text.
alter table requests add column salt blob constraint requests_salt_is_32_bytes check (salt is null or length(salt) = 32);

-- How bad a condition is, where the rules count it: Frightened (1-3).
alter table conditions add column level integer;
