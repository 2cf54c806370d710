-- Checkpoints are signed here as the lines of checkpoints.log are. A signature goes over the whole line, with the name that the database had
-- where it was written. Rows of before have none of it.

alter table checkpoints
    add column database text,
    add column signed_by text,
    add column signature text,
    add constraint checkpoints_signature_has_a_key check ((signed_by is null) = (signature is null));
