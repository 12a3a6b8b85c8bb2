-- Helpers that read values as received: amounts, times, masked payloads; and rounding.
-- For: every other file here.
--   psql -f sql/views/02-received-values.sql

-- An amount as the gateway wrote it, or null if it is not an amount.
create function books_internal.amount_of(value text) returns numeric language sql immutable parallel safe
return case when length(value) < 1000 and value ~ '^-?\d+(\.\d+)?([eE][+-]?\d{1,3})?$' then value::numeric end;

-- An instant as the gateway wrote it, in any form of ISO 8601 that the booking rules read, or null if it is not an instant. Anything
-- finer than a microsecond is cut, as they do, and not rounded into the next month.
create function books_internal.instant_of(value text) returns timestamptz language plpgsql stable strict parallel safe as $$
begin
  if value !~ '^\d{4}-\d{2}-\d{2}[Tt]([01]\d|2[0-3]):[0-5]\d(:[0-5]\d([.,]\d{1,30})?)?([Zz]|[+-]\d{2}(:?\d{2})?)$' then
    return null;
  end if;
  return regexp_replace(translate(value, ',', '.'), '(\.\d{6})\d+', '\1')::timestamptz;
exception when others then return null;
end $$;

-- A rate as the gateway writes it, `{value, pair {base, quote}}`, the same inside `rate`, or a bare value: how many units of
-- quote one unit of base is worth. One row; nulls for what it lacks or is not a number. A table, which a query takes in whole:
-- a call for each row costs more than all of the other columns.
create function books_internal.rate_of(rate jsonb) returns table (value numeric, base text, quote text)
language sql immutable parallel safe rows 1 as $$
  select books_internal.amount_of(coalesce(flat ->> 'value', flat ->> 'rate')), nullif(flat #>> '{pair,base}', ''),
    nullif(flat #>> '{pair,quote}', '')
  from (
    select case
      when jsonb_typeof(rate) <> 'object' then jsonb_build_object('value', rate)
      when jsonb_typeof(rate -> 'rate') = 'object' then rate -> 'rate'
      else rate
    end as flat
  ) as plain
$$;

-- What an Earn movement reports: its gross amount, what is left of it, and the tax withheld. One row; nulls for what it lacks or is not
-- an amount. `offset 0`: each amount is read once, whatever a query makes of it.
create function books_internal.earn_amounts_of(movement jsonb) returns table (gross numeric, net numeric, withheld numeric)
language sql immutable parallel safe rows 1 as $$
  select books_internal.amount_of(movement #>> '{amount,value}'),
    books_internal.amount_of(coalesce(movement #>> '{netAmount,value}', movement ->> 'netAmount')),
    books_internal.amount_of(coalesce(movement #>> '{withholdingAmount,value}', movement ->> 'withholdingAmount'))
  offset 0
$$;

-- An address on a blockchain; null for one that is personal.
create function books_internal.chain_address(address text) returns text language sql immutable parallel safe
return case when address not like 'personal:%' then nullif(address, '') end;

-- An address or a hash in a form to compare: hexadecimal ones mean the same in capitals. Null if it is empty or personal.
create function books_internal.address_key(address text) returns text language sql immutable parallel safe
return case when address ~* '^0x[0-9a-f]+$' then lower(address) else books_internal.chain_address(address) end;

-- A payload with blanked personal fields: no exported byte depends on a commitment.
create function books_internal.masked(payload text) returns text language sql immutable strict parallel safe
return regexp_replace(payload, '"personal:[0-9a-f]{64}"', '"(personal)"', 'g');

-- An amount rounded to the cent, halves to even, like all values.
create function books_internal.cents(value numeric) returns numeric language sql immutable parallel safe
return round(value, 2) - case
  when mod(abs(value) * 100, 1) = 0.5 and mod(trunc(abs(value) * 100), 2) = 0 then sign(value) * 0.01
  else 0
end;

-- Whole days between two instants, at least 0; null until the end of time.
create function books_internal.days_between(since timestamptz, until timestamptz) returns integer language sql immutable parallel safe
return case when isfinite(until) then greatest(floor(extract(epoch from until - since) / 86400), 0)::integer end;
