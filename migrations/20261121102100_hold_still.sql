-- migrate:up
-- Entries hold still while a month is sealed: what an open transaction has written is seen before the seal, or comes
-- after it and is refused. Only their owner may lock them, so that the preparer of a seal asks for it here.
create function ledger.hold_still() returns void
language sql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '20s' as $$
  lock table ledger.entries, ledger.transfers in share mode
$$;
revoke execute on function ledger.hold_still() from public;

-- migrate:down
drop function ledger.hold_still();
