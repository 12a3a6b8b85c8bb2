-- migrate:up
-- One writer: every writing transaction of a run checks that no later run has taken the books since. Only roles that write
-- may call these functions; they take no text.

-- Never written. Who holds its lock may write the books: a table needs a privilege, where an advisory lock needs none.
create table run.writer_lock (is_lock boolean);

-- The writer's lock, until the transaction ends. Waits as long as an automatic vacuum may need to step aside.
create function run.lock_books() returns void
language sql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '2s' as $$
  lock table run.writer_lock in exclusive mode
$$;

-- Waits for the transactions of earlier runs, so that none of them commits after the next run's number is given.
create function run.take_over() returns void
language sql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '60s' as $$
  lock table run.runs in exclusive mode
$$;

-- Holds a run's right to write until the transaction ends; an error where a later run has taken the books.
create function run.hold(held bigint) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  lock table run.runs in row exclusive mode;
  if held is distinct from (select max(run_number) from run.runs) then
    raise exception using errcode = '55T01', message = 'a later run has taken these books over';
  end if;
end
$$;
revoke execute on function run.lock_books(), run.take_over(), run.hold(bigint) from public;

-- migrate:down
drop function run.hold(bigint);
drop function run.take_over();
drop function run.lock_books();
drop table run.writer_lock;
