-- What the reports of a period must agree on, figure by figure.
-- For: the report checks.
--   psql -f sql/views/39-report-checks.sql

-- The lines of value of a period by account and currency: those of period_value_lines, read by the time in the ids of their entries. debits: the
-- cents of the lines that debit; exact_debits: the exact figures of those on time.
create function books_internal.value_sums(since timestamptz, until timestamptz)
returns table (entity_id text, account text, currency text, value numeric, exact numeric, in_cost numeric, in_proceeds numeric,
  expensed numeric, paid numeric, debits numeric, exact_debits numeric)
language sql stable parallel safe as $$
  select v.entity_id, v.account, v.currency, sum(v.value), sum(v.exact), sum(v.fee_in_cost), sum(v.fee_in_proceeds),
    sum(v.fee_expensed), sum(v.fee), sum(v.value) filter (where v.value > 0), sum(v.on_time) filter (where v.on_time > 0)
  from (
    select v.*, case v.account when 'expenses:rounding' then v.value else v.exact end as on_time
    from books_internal.on_time_within(since, until) own
    join books_internal.value_lines v using (entity_id, entry_id)
    where v.entry_id >= books_internal.first_entry_id(since) and v.entry_id < books_internal.first_entry_id(until + interval '1 ms')
    union all
    select v.*, case when late.effective_at < since then null when v.account = 'expenses:rounding' then v.value else v.exact end
    from books_internal.late_within(since, until, 'posted_at') late
    join books_internal.value_lines v using (entity_id, entry_id)
  ) as v
  group by v.entity_id, v.account, v.currency
$$;

-- What disposals of a period gained and what of their proceeds fees took.
create function books_internal.gain_sums(since timestamptz, until timestamptz)
returns table (entity_id text, currency text, gain numeric, fee_in_proceeds numeric) language sql stable parallel safe as $$
  select d.entity_id, d.currency, sum(d.gain), sum(d.fee_in_proceeds)
  from books_internal.disposals_within(since, until, 'posted_at') d
  group by d.entity_id, d.currency
$$;

-- What is left of all lots of a taxpayer at an instant, as lots_among counts them, without disposals that no lot covers; externally held
-- lots are left out. Used-up lots sum to zero and are not read. cost is null if a lot's is or was.
create function books_internal.lot_sums(until timestamptz)
returns table (taxpayer text, currency text, units numeric, cost numeric) language sql stable parallel safe as $$
  with ending as materialized (
    select * from books_internal.months_ended(until)
  ), open_lot as materialized (
    select * from books_internal.lots_left_at(until)
  ), change as (
    select l.entity_id, l.entry_id, l.period, l.taxpayer, l.currency, l.units, l.cost
    from open_lot join books_internal.acquired_lots l using (entity_id, lot_id)
    where l.pool not in ('external', 'in-transit')
    union all
    select u.entity_id, u.entry_id, u.period, u.taxpayer, u.currency, -u.units, -u.cost
    from open_lot o
    join books_internal.lot_uses u on (u.lot_entity_id, u.lot_id) = (o.entity_id, o.lot_id)
    where u.pool not in ('external', 'in-transit')
    union all
    select entity_id, entry_id, period, taxpayer, currency, -units, 0 from books_internal.lot_uses where lot_id is null and pool not in ('external', 'in-transit')
    union all -- whether used up or not
    select entity_id, entry_id, period, taxpayer, currency, 0, null from books_internal.acquired_lots where cost is null and pool not in ('external', 'in-transit')
  )
  select c.taxpayer, c.currency, sum(c.units), case when bool_and(c.cost is not null) then sum(c.cost) end
  from change c
  join ending using (entity_id)
  where case when c.period < ending.month then true
    when c.entry_id >= ending.later_id then false else (
    select books_internal.posting_date(e.entity_id, e.original_period, 'posted_at', e.effective_at, e.posted_at) < until
    from books.entries e where (e.entity_id, e.entry_id) = (c.entity_id, c.entry_id)
  ) end
  group by c.taxpayer, c.currency
$$;

-- The two sides of each comparison of a period, one row per subject: what a report shows, and what another source or the sum of its
-- other figures makes. Postings, lines of value and the summaries are read once for all of them, with the functions that the reports
-- read. Figures are in units of the currency, or in value_currency. Nothing tells the planner that a month has few accounts; it would
-- sort every line by them, so it may not.
create function books_internal.report_sides(since timestamptz, until timestamptz, chosen text)
returns table (entity_id text, place integer, report text, compared text, subject text, currency text, value_currency text, shown numeric,
  expected numeric)
language sql stable parallel safe set enable_sort = off as $$
  with own as materialized (
    select n.entity_id, n.currency as value_currency, n.taxpayer, n.entity_id = min(n.entity_id) over (partition by n.taxpayer) as is_first,
      books_internal.is_chosen(n.entity_id, report_sides.chosen) as is_chosen,
      bool_or(books_internal.is_chosen(n.entity_id, report_sides.chosen)) over (partition by n.taxpayer) as is_concerned
    from books.profiles n
  ), leg as materialized (
    select l.entity_id, l.debit, l.credit, l.currency, sum(l.amount) as amount
    from books_internal.legs_within(report_sides.since, report_sides.until, 'posted_at') l
    where books_internal.is_chosen(l.entity_id, report_sides.chosen)
    group by l.entity_id, l.debit, l.credit, l.currency
  ), flow as materialized (
    select l.entity_id, side.account, side.across, l.currency, side.debit, side.credit, side.debit - side.credit as amount
    from leg l
    cross join lateral (values (l.debit, l.credit, l.amount, 0), (l.credit, l.debit, 0, l.amount)) as side (account, across, debit, credit)
  ), carried as materialized ( -- every account of the summaries of who shares lots with them, and the postings of the chosen entities
    select b.entity_id, b.account, b.currency, sum(b.opening) as opening, sum(b.closing) as closing, sum(b.summed_debit) as summed_debit,
      sum(b.summed_credit) as summed_credit, sum(b.debit) as debit, sum(b.credit) as credit, sum(b.units) as units
    from (
      select t.entity_id, t.account, t.currency, t.debit - t.credit as opening, 0 as closing, -t.debit as summed_debit,
        -t.credit as summed_credit, 0 as debit, 0 as credit, 0 as units
      from books_internal.totals_carried(report_sides.since, report_sides.since, 'posted_at') t
      where t.entity_id = any (array(select o.entity_id from own o where o.is_concerned))
      union all
      select t.entity_id, t.account, t.currency, 0, t.debit - t.credit, t.debit, t.credit, 0, 0, 0
      from books_internal.totals_carried(report_sides.until, report_sides.since, 'posted_at') t
      where t.entity_id = any (array(select o.entity_id from own o where o.is_concerned))
      union all
      select f.entity_id, f.account, f.currency, 0, 0, 0, 0, f.debit, f.credit, f.amount from flow f
    ) as b
    group by b.entity_id, b.account, b.currency
  ), balance as materialized (
    select * from carried c where books_internal.is_chosen(c.entity_id, report_sides.chosen)
  ), worth as materialized (
    select w.*, o.value_currency, o.taxpayer, o.is_chosen
    from books_internal.value_totals(report_sides.since, report_sides.until, 'posted_at') w
    join own o using (entity_id)
    where w.entity_id = any (array(select c.entity_id from own c where c.is_concerned))
  ), line as materialized (
    select * from books_internal.value_sums(report_sides.since, report_sides.until) v
    where books_internal.is_chosen(v.entity_id, report_sides.chosen)
  ), valued as materialized ( -- the accounts in money, with the lines of the period
    select entity_id, account, currency, o.value_currency, coalesce(w.opening, 0) as opening, coalesce(w.closing, 0) as closing,
      coalesce(w.fault, 0) as fault, coalesce(w.missing, 0) as missing, coalesce(l.value, 0) as value, coalesce(l.exact, 0) as exact,
      l.in_cost, l.in_proceeds, l.expensed, l.paid, coalesce(w.debit, 0) as debit, coalesce(l.debits, 0) as debits,
      coalesce(books_internal.cents(l.exact_debits), 0) as exact_debits
    from (select * from worth where is_chosen) as w
    full join line l using (entity_id, account, currency)
    join own o using (entity_id)
  ), gain as materialized (
    select * from books_internal.gain_sums(report_sides.since, report_sides.until) g
    where books_internal.is_chosen(g.entity_id, report_sides.chosen)
  ), holding as ( -- what a taxpayer holds of each asset, in units and at cost
    select o.taxpayer, h.currency, sum(h.units) as units, sum(h.exact) as cost, sum(h.unvalued) as unvalued, max(h.value_currency) as value_currency
    from (
      select c.entity_id, c.currency, c.closing as units, 0 as exact, 0 as unvalued, null as value_currency
      from carried c where books_internal.is_holding(c.account)
      union all
      select w.entity_id, w.currency, 0, w.exact, w.unvalued, w.value_currency from worth w where books_internal.is_holding(w.account)
    ) as h
    join own o using (entity_id)
    where h.currency <> o.value_currency
    group by o.taxpayer, h.currency
  ), lot as (
    select o.entity_id, currency, h.value_currency, h.units as held_units, h.cost as held_cost, h.unvalued, l.units, l.cost
    from (select * from holding where value_currency is not null) as h
    full join books_internal.lot_sums(report_sides.until) l using (taxpayer, currency)
    join own o using (taxpayer)
    where o.is_first and o.is_chosen
  ), closing as materialized (
    select * from books_internal.closing_balances_of(report_sides.until, report_sides.chosen)
  ), tied as (
    select c.entity_id, c.account, c.currency, max(c.booked) as shown, sum(b.closing) as expected
    from closing c
    left join balance b on b.entity_id = c.entity_id and b.currency = c.currency and books_internal.tied_account(b.account) = c.account
    group by c.entity_id, c.account, c.currency
  ), chart as materialized (
    select * from books.chart_of_accounts_at(report_sides.until) c where books_internal.is_chosen(c.entity_id, report_sides.chosen)
  ), yearly as materialized ( -- what dac8_check shows and what it leaves out, debit positive as the accounts are
    select d.entity_id, books_internal.dac8_group(d.account) as subject, d.currency, d.what is not null as is_shown,
      sum(case when d.what in ('bought', 'swapped in', 'transferred in', 'reward') then -d.units else d.units end) as units,
      sum(case when d.what in ('bought', 'swapped in', 'transferred in', 'reward') then -d.gross_value else d.gross_value end) as value
    from books_internal.dac8_events(report_sides.since, report_sides.until, 'posted_at', report_sides.chosen) d
    group by 1, 2, 3, 4
  ), sided as materialized (
    select * from books_internal.own_sides(report_sides.until, 'posted_at', report_sides.chosen) s where s.is_settled
  ), compared as (
    select b.entity_id, r.place, r.report, r.compared, b.account as subject, b.currency, null as value_currency, r.shown, r.expected
    from balance b
    cross join lateral (values
      (1, 'trial_balance', 'opening + changes = closing', true, b.opening + b.units, b.closing),
      (5, 'general_ledger', 'opening + postings = closing', true, b.opening + b.units, b.closing),
      (7, 'journal', 'debits = those of the daily summary', true, b.debit, b.summed_debit),
      (8, 'journal', 'credits = those of the daily summary', true, b.credit, b.summed_credit),
      (9, 'statement', 'opening + in - out - fees = closing', b.account like 'assets:%' or b.account like 'liabilities:%', b.opening + b.units,
        b.closing),
      (12, 'working_capital', 'opening + flows = closing', b.account = 'liabilities:working-capital', b.opening + b.units, b.closing),
      (13, 'fees', 'fees = change of the fee accounts', b.account like 'expenses:fees:%', b.units,
        b.summed_debit - b.summed_credit),
      (29, 'counterparties', 'out - in = change of the accounts', b.account like 'equity:external:%', b.units, b.summed_debit - b.summed_credit),
      (31, 'cash_list', 'payments = change of the accounts', b.account in ('equity:external:bank', 'equity:external:card'), -b.units,
        b.summed_credit - b.summed_debit)
    ) as r (place, report, compared, is_concerned, shown, expected)
    where r.is_concerned
    union all
    select b.entity_id, 2, 'trial_balance', 'debit balances = credit balances', b.currency, b.currency, null,
      sum(greatest(b.closing, 0)), sum(greatest(-b.closing, 0))
    from balance b
    group by b.entity_id, b.currency
    union all
    select v.entity_id, r.place, r.report, r.compared, v.account, v.currency, v.value_currency, r.shown, r.expected
    from valued v
    cross join lateral (values
      (4, 'trial_balance', 'closing value = exact value, rounded once', true, v.closing, v.closing - v.fault),
      (6, 'general_ledger', 'opening value + lines = closing value', true, v.opening + v.value, v.closing),
      (14, 'fees', 'expensed + rounding = change of the fee accounts', v.account like 'expenses:fees:%',
        coalesce(v.expensed, 0) + v.value - v.exact, v.closing - v.opening),
      (16, 'fee_totals', 'in cost + out of proceeds + expensed = paid', v.account like 'expenses:fees:%',
        coalesce(v.in_cost, 0) + coalesce(v.in_proceeds, 0) + coalesce(v.expensed, 0), coalesce(v.paid, 0)),
      (30, 'counterparties', 'value out - value in = change of value', v.account like 'equity:external:%', v.value, v.closing - v.opening),
      (32, 'cash_list', 'value of the payments = change of value', v.account in ('equity:external:bank', 'equity:external:card'), -v.value,
        v.opening - v.closing),
      (33, 'prices_used', 'debit value - credit value = change of value', true, v.value, v.closing - v.opening),
      (35, 'journal_entries', 'debit value = debits of the accounts + late debits + rounding', true, v.debits, v.debit + v.debits - v.exact_debits)
    ) as r (place, report, compared, is_concerned, shown, expected)
    where r.is_concerned
    union all
    select v.entity_id, 3, 'trial_balance', 'debit values = credit values', v.value_currency, v.value_currency, v.value_currency,
      sum(greatest(v.closing + v.missing, 0)), sum(greatest(-v.closing - v.missing, 0))
    from valued v
    group by v.entity_id, v.value_currency
    union all
    select v.entity_id, 11, 'asset_roll_forward', 'opening value + lines = closing value', v.currency, v.currency, v.value_currency,
      sum(v.opening + v.value), sum(v.closing)
    from valued v
    where books_internal.is_holding(v.account)
    group by v.entity_id, v.currency, v.value_currency
    union all
    select b.entity_id, 10, 'asset_roll_forward', 'opening + flows = closing', b.currency, b.currency, null, sum(b.opening + b.units), sum(b.closing)
    from (
      select entity_id, currency, opening, closing, 0 as units from balance where books_internal.is_holding(account)
      union all
      select entity_id, currency, 0, 0, amount from flow where books_internal.is_holding(account) and not books_internal.is_holding(across)
    ) as b
    group by b.entity_id, b.currency
    union all
    select g.entity_id, 15, 'fees', 'fees out of proceeds = those of the disposals', g.value_currency, g.value_currency, g.value_currency,
      sum(g.shown), sum(g.expected)
    from (
      select entity_id, value_currency, coalesce(in_proceeds, 0) as shown, 0 as expected from valued
      union all
      select entity_id, o.value_currency, 0, coalesce(g.fee_in_proceeds, 0) from gain g join own o using (entity_id)
    ) as g
    group by g.entity_id, g.value_currency
    union all
    select g.entity_id, 17, 'realised_gains', 'gains and losses = those of the accounts', g.kind, g.value_currency, g.value_currency,
      sum(g.shown), sum(g.expected)
    from (
      select entity_id, o.value_currency, case when books_internal.is_fiat(g.currency) then 'fx' else 'realised' end as kind,
        coalesce(g.gain, 0) as shown, 0 as expected
      from gain g
      join own o using (entity_id)
      union all
      select entity_id, value_currency, split_part(account, ':', 3), 0, -exact from valued
      where account ~ '^(income:gains|expenses:losses):(realised|fx)$'
    ) as g
    group by g.entity_id, g.kind, g.value_currency
    union all
    select b.entity_id, 18, 'holdings', 'places = units held', b.currency, b.currency, null,
      coalesce(sum(b.closing) filter (where b.account in ('assets:trading', 'assets:trading-bots', 'assets:earn')
        or b.account like 'assets:pocket:%' or b.account like 'assets:clearing:%'), 0), sum(b.closing)
    from balance b
    where books_internal.is_holding(b.account)
    group by b.entity_id, b.currency
    union all
    select l.entity_id, r.place, 'open_lots', r.compared, l.currency, l.currency, r.value_currency, r.shown, r.expected
    from lot l
    cross join lateral (values
      (19, 'units of the lots = units held', null, true, coalesce(l.units, 0), coalesce(l.held_units, 0)),
      (20, 'cost of the lots = exact cost of what is held', l.value_currency, l.unvalued = 0 and l.cost is not null, l.cost, l.held_cost)
    ) as r (place, compared, value_currency, is_concerned, shown, expected)
    where r.is_concerned
    union all
    select t.entity_id, 21, 'closing_balances', 'booked = closing of the trial balance', t.account, t.currency, null, t.shown, coalesce(t.expected, 0)
    from tied t
    union all
    select c.entity_id, 22, 'reconciliation', 'reported - items = booked + left', c.account, c.currency, null,
      case when c.account like 'assets:clearing:%' then c.rolled_back else coalesce(c.reported, 0) end - coalesce(c.moved_after, 0)
        - coalesce(c.diverged_later, 0), c.booked + coalesce(c.difference, -c.booked)
    from closing c
    union all
    select e.entity_id, 23, 'reconciliation', 'stated - items = booked outside the platform', e.account, e.currency, null,
      coalesce(sum(e.amount) filter (where e.item not in ('booked', 'booked on cards')), 0),
      coalesce(-sum(e.amount) filter (where e.item in ('booked', 'booked on cards')), 0)
    from books_internal.external_reconciliation(report_sides.until) e
    where books_internal.is_chosen(e.entity_id, report_sides.chosen)
    group by e.entity_id, e.account, e.currency
    union all
    select s.entity_id, r.place, 'intercompany', r.compared, s.partner_id, s.currency, r.value_currency, sum(r.shown), sum(r.expected)
    from (
      select entity_id, partner_id, currency, eliminated_units as units, eliminated_value as value, 0 as partner_units, 0 as partner_value from sided
      union all
      select partner_id, entity_id, currency, 0, 0, -eliminated_units, -eliminated_value from sided
    ) as s
    join own o using (entity_id)
    cross join lateral (values
      (24, 'eliminated units = those of the partner', null, s.units, s.partner_units),
      (25, 'eliminated value = that of the partner', o.value_currency, coalesce(s.value, 0), coalesce(s.partner_value, 0))
    ) as r (place, compared, value_currency, shown, expected)
    where o.is_chosen
    group by s.entity_id, s.partner_id, s.currency, r.place, r.compared, r.value_currency
    union all
    select c.entity_id, 26, 'consolidated_trial_balance', 'consolidated + eliminated = closing of the accounts of a code', c.code, c.value_currency,
      c.value_currency, sum(c.shown), sum(c.expected)
    from (
      select entity_id, value_currency, concat_ws(' ', account_code, asset_class) as code, consolidated_value + eliminated_value as shown, 0 as expected
      from books_internal.consolidated_lines(report_sides.since, report_sides.until, 'posted_at', report_sides.chosen)
      union all
      select w.entity_id, w.value_currency, concat_ws(' ', k.code, k.asset_class), 0, w.closing
      from worth w
      join books.profiles p on p.entity_id = w.entity_id and p.owner = 'own'
      left join (
        select entity_id, account, currency, min(code) as code, min(asset_class) as asset_class from chart group by entity_id, account, currency
      ) as k on (k.entity_id, k.account, k.currency) = (w.entity_id, w.account, w.currency)
    ) as c
    join own o using (entity_id)
    where o.is_chosen
    group by c.entity_id, c.code, c.value_currency
    union all
    select y.entity_id, 27, 'dac8_check', 'in and out by type = postings of the journal', y.subject, y.currency, null, sum(y.shown), sum(y.expected)
    from (
      select entity_id, subject, currency, units as shown, 0 as expected from yearly where is_shown
      union all
      select entity_id, books_internal.dac8_group(account), currency, 0, amount
      from flow
      where not books_internal.is_fiat(currency)
        and case when account = 'equity:conversion' then across not like 'expenses:%' else across <> 'equity:conversion' end
    ) as y
    where y.subject is not null
    group by y.entity_id, y.subject, y.currency
    union all
    select y.entity_id, 28, 'dac8_check', 'value by type + value of what it leaves out = lines of value', y.subject, y.currency, o.value_currency,
      sum(y.shown), sum(y.expected)
    from (
      select entity_id, subject, currency, coalesce(value, 0) as shown, 0 as expected from yearly
      union all
      select entity_id, books_internal.dac8_group(account), currency, 0, coalesce(exact, 0) from line
    ) as y
    join own o using (entity_id)
    where y.subject is not null
    group by y.entity_id, y.subject, y.currency, o.value_currency
    union all
    select p.entity_id, 34, 'prior_period', 'value of late lines, rounded once = prior-period value', p.account, p.currency, o.value_currency,
      coalesce(books_internal.cents(sum(p.shown)), 0), sum(p.expected)
    from (
      select v.entity_id, v.account, v.currency, case when v.account = 'expenses:rounding' then v.value else v.exact end as shown, 0 as expected
      from books_internal.late_within(report_sides.since, report_sides.until, 'posted_at') e
      join books_internal.value_lines v using (entity_id, entry_id)
      where e.effective_at < report_sides.since
      union all
      select entity_id, account, currency, 0, prior_period from worth
    ) as p
    join own o using (entity_id)
    where o.is_chosen
    group by p.entity_id, p.account, p.currency, o.value_currency
  )
  select entity_id, place, report, compared, subject, currency, value_currency, shown, expected
  from compared
  where shown <> 0 or expected <> 0
$$;
