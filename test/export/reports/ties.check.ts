// How the reports tie to each other, cent by cent: their check columns, and every figure in two of them.
import { describe, expect, test } from 'vitest';
import { compare, subtract, sum } from '../../../src/base/money.ts';
import { restateMonth } from '../../../src/close/close.ts';
import { exportReports } from '../../../src/export/export.ts';
import { SEPTEMBER } from '../../close/month.ts';
import { newFolder } from '../../room.ts';
import { broken, cellOf, negated, openTwoMonths, type Row, SPANS, summed } from './ties.ts';

const { stage, read } = openTwoMonths();

const BY_ACCOUNT = ['entity_id', 'account', 'currency'];
const BY_ASSET = ['entity_id', 'currency'];
const isOf = (start: string) => (row: Row) => row.account?.startsWith(start) ?? false;
const isAsset = isOf('assets:');
const isHeld = (row: Row) => row.account !== 'assets:tax-withheld';
const moved = (row: Row) => sum([cellOf('debit')(row), negated('credit')(row), cellOf('prior_period')(row)]);

describe.each(Object.entries(SPANS))('%s', (_name, span) => {
  test('every check of its reports holds', async () => {
    expect(await broken(read, span)).toEqual([]);
  });

  test('the trial balance sums to zero, and every account has a code and a class', async () => {
    const balance = await read('trial_balance', span);
    expect(summed(balance, BY_ASSET, cellOf('closing'))).toEqual({});
    expect(balance.filter((row) => !row.account_code || !row.statement_class)).toEqual([]);
    expect(summed(balance, BY_ACCOUNT, cellOf('closing_debit'))).not.toEqual({});
    const sides = (row: Row) =>
      sum([cellOf('closing_debit')(row), negated('closing_credit')(row), negated('closing')(row)]);
    expect(summed(balance, BY_ACCOUNT, sides)).toEqual({});
  });

  test('in money the trial balance sums to zero too, and ties to the roll-forward and the holdings', async () => {
    const balance = await read('trial_balance', span);
    const inMoney = ['opening_value', 'prior_period_value', 'closing_value'];
    for (const name of inMoney) expect(summed(balance, ['entity_id'], cellOf(name))).toEqual({});
    expect(summed(balance, ['entity_id'], cellOf('closing_debit_value'))).not.toEqual({});
    expect(summed(balance, ['account'], cellOf('unvalued'))).toEqual({});
    const assets = balance.filter(isAsset);
    const roll = await read('asset_roll_forward', span);
    for (const name of inMoney)
      expect(summed(roll, BY_ASSET, cellOf(name))).toEqual(summed(assets, BY_ASSET, cellOf(name)));
    const valuation = await read('valuation', span);
    expect(summed(valuation, BY_ASSET, cellOf('cost'))).toEqual(
      summed(assets, BY_ASSET, cellOf('closing_value')),
    );
  });

  test('totals in value are the same month by month and line by line', async () => {
    const [lines, months] = await Promise.all(
      ['line by line', 'posted_at'].map((by) =>
        stage().rows(
          `select * from books_internal.value_totals('${span.from}', '${span.to}', '${by}') order by 1, 2, 3`,
        ),
      ),
    );
    expect(months?.length).toBeGreaterThan(10);
    expect(months).toEqual(lines);
  });

  test('gains tie to their disposals', async () => {
    const balance = await read('trial_balance', span);
    const gains = balance.filter((row) =>
      /^(income:gains|expenses:losses):(realised|fx)$/.test(row.account ?? ''),
    );
    const change = (row: Row) =>
      sum([cellOf('debit_value')(row), negated('credit_value')(row), cellOf('prior_period_value')(row)]);
    const disposals = await read('realised_gains', span);
    expect(
      disposals.filter(
        (row) => subtract(cellOf('proceeds')(row), cellOf('cost')(row)) !== cellOf('gain')(row),
      ),
    ).toEqual([]);
    const left = summed(
      [
        ...gains.map((row) => ({ ...row, left: change(row) })),
        ...disposals.map((row) => ({ ...row, left: cellOf('gain')(row) })),
      ],
      ['entity_id'],
      cellOf('left'),
    );
    expect(Object.values(left).filter((it) => compare(it.replace('-', ''), '0.04') > 0)).toEqual([]); // each account is rounded once, at either end
  });

  test('the general ledger and the statement end with the closing of the trial balance', async () => {
    const balance = await read('trial_balance', span);
    const ledger = await read('general_ledger', span);
    const lines = (all: readonly Row[], line: string) => all.filter((row) => row.line === line);
    expect(summed(lines(ledger, 'opening'), BY_ACCOUNT, cellOf('balance'))).toEqual(
      summed(balance, BY_ACCOUNT, cellOf('opening')),
    );
    expect(summed(lines(ledger, 'posting'), BY_ACCOUNT, moved)).toEqual(summed(balance, BY_ACCOUNT, moved));
    expect(summed(lines(ledger, 'closing'), BY_ACCOUNT, cellOf('balance'))).toEqual(
      summed(balance, BY_ACCOUNT, cellOf('closing')),
    );
    expect(summed(lines(ledger, 'closing'), BY_ACCOUNT, cellOf('balance_value'))).toEqual(
      summed(balance, BY_ACCOUNT, cellOf('closing_value')),
    );
    const own = balance.filter((row) => isAsset(row) || isOf('liabilities:')(row));
    const statement = await read('statement', span);
    expect(summed(lines(statement, 'closing'), BY_ACCOUNT, cellOf('balance'))).toEqual(
      summed(own, BY_ACCOUNT, cellOf('closing')),
    );
    const entries = lines(statement, 'entry');
    const change = (row: Row) => sum([cellOf('in')(row), negated('out')(row), negated('fee')(row)]);
    expect(summed(entries, BY_ACCOUNT, change)).toEqual(summed(own, BY_ACCOUNT, moved));
  });

  test('the roll-forward, the holdings and working capital tie to the trial balance', async () => {
    const balance = await read('trial_balance', span);
    const assets = balance.filter(isAsset);
    const roll = await read('asset_roll_forward', span);
    for (const name of ['opening', 'prior_period', 'closing'])
      expect(summed(roll, BY_ASSET, cellOf(name))).toEqual(summed(assets, BY_ASSET, cellOf(name)));
    for (const report of ['holdings', 'valuation'])
      expect(summed(await read(report, span), BY_ASSET, cellOf('units'))).toEqual(
        summed(assets.filter(isHeld), BY_ASSET, cellOf('closing')),
      );
    const money = async (report: string) =>
      (await read(report, span)).map((row) =>
        ['entity_id', 'currency', 'as_of', 'units', 'cost', 'unvalued', 'market_value', 'lower_value'].map(
          (name) => row[name],
        ),
      );
    expect(await money('holdings')).toEqual(await money('valuation'));
    const owed = balance.filter(isOf('liabilities:working-capital'));
    expect(summed(await read('working_capital', span), BY_ASSET, cellOf('closing'))).toEqual(
      summed(owed, BY_ASSET, cellOf('closing')),
    );
  });

  test('fees, prior periods, cash and amounts in transit tie to it too', async () => {
    const balance = await read('trial_balance', span);
    const fees = summed(balance.filter(isOf('expenses:fees:')), BY_ACCOUNT, moved);
    expect(summed(await read('fee_totals', span), BY_ACCOUNT, cellOf('paid'))).toEqual(fees);
    expect(summed(await read('fees', span), BY_ACCOUNT, cellOf('amount'))).toEqual(fees);
    expect(summed(await read('prior_period', span), BY_ACCOUNT, cellOf('amount'))).toEqual(
      summed(balance, BY_ACCOUNT, cellOf('prior_period')),
    );
    const cash = balance.filter((row) => /^equity:external:(bank|card)$/.test(row.account ?? ''));
    const listed = (await read('cash_list', span)).map((row) => ({
      ...row,
      account: `equity:external:${row.means}`,
    }));
    expect(summed(listed, BY_ACCOUNT, negated('amount'))).toEqual(summed(cash, BY_ACCOUNT, moved));
    const transit = (await read('in_transit', span)).filter((row) => row.status === 'in transit');
    expect(summed(transit, BY_ACCOUNT, cellOf('amount'))).toEqual(
      summed(balance.filter(isOf('assets:clearing:')), BY_ACCOUNT, cellOf('closing')),
    );
  });
});

test('a bank account shows its country and last four characters, and nothing once the person is erased', async () => {
  const { 'the year': span } = SPANS;
  const shown = async () => [
    ...new Set(
      (await read('cash_list', span)).filter((row) => row.means === 'bank').map((row) => row.masked_account),
    ),
  ];
  expect(await shown()).toEqual(['ES****1332']);
  await stage().rows("delete from land.people where path like '%bankAccount'");
  expect(await shown()).toEqual([null]);
});

test('a month sealed by another version with fewer reports and columns restates nothing, and is exported unchanged', async () => {
  const ask = { entity: 'main', ...SEPTEMBER };
  const before = (await restateMonth(stage().database.pool, ask)).reports.map(({ report }) => report);
  expect(before).toContain('general_ledger');
  await stage().rows(`
    delete from decide.seal_files where name = 'general_ledger.csv';
    update decide.seals set seal = jsonb_set(seal::jsonb, '{manifest,files}', (
      select jsonb_agg(case f ->> 'name' when 'trial_balance.csv'
        then jsonb_set(f, '{columns}', jsonb_path_query_array(f, '$.columns[0 to 12]')) else f end order by f ->> 'name')
      from jsonb_array_elements(seal::jsonb -> 'manifest' -> 'files') as f where f ->> 'name' <> 'general_ledger.csv'
    ))::text;
    update decide.seal_files set content = regexp_replace(content, '^(([^,\n]*,){12}[^,\n]*),[^\n]*$', '\\1', 'gn')
    where name = 'trial_balance.csv'`);
  const after = await restateMonth(stage().database.pool, ask);
  expect(after.reports.map(({ report }) => report)).toEqual(before.filter((it) => it !== 'general_ledger'));
  const balance = after.reports.find(({ report }) => report === 'trial_balance');
  expect(balance?.added.length).toBe(2);
  // September had no line for that account
  expect([1, 2]).toContain(balance?.removed.length);
  const { files } = await exportReports({
    pool: stage().database.pool,
    period: '2026-09',
    outDir: newFolder(),
    timezone: 'UTC',
    currency: 'EUR',
  });
  expect(files.map(({ name }) => name)).not.toContain('general_ledger.csv');
  expect(files.filter(({ name, columns }) => name.endsWith('.csv') && columns.length === 0)).toEqual([]);
});

test('a value that was altered by hand shows in the checks in money', async () => {
  const { 'the year': span } = SPANS;
  await stage().rows(`update value.postings set value = value + 0.01 where (entity_id, entry_id, line) = (
    select entity_id, entry_id, line from value.postings where account = 'assets:trading' and currency = 'BTC' limit 1)`);
  expect(await broken(read, span)).toEqual([
    'general_ledger: opening value + lines = closing value',
    'asset_roll_forward: opening value + lines = closing value',
    'prices_used: debit value - credit value = change of value',
  ]);
  const [ledger] = (await read('checks', span)).filter(({ verdict }) => verdict !== 'holds');
  expect(ledger).toMatchObject({
    differing_rows: '1',
    largest_difference: '0.01',
    difference_currency: 'EUR',
    first_difference: 'assets:trading BTC',
  });
  await stage().rows('truncate value.postings, value.monthly, value.lots, value.uses');
});

test('an amount that was altered by hand shows in every check of units', async () => {
  const { 'the year': span } = SPANS;
  await stage().rows(`update ledger.transfers t set amount = amount + 0.01 where (t.entity_id, t.entry_id, t.leg) = (
    select entity_id, entry_id, leg from ledger.transfers
    where 'liabilities:working-capital' in (debit, credit) order by entry_id limit 1)`);
  expect(await broken(read, span)).toEqual([
    'trial_balance: opening + changes = closing',
    'general_ledger: opening + postings = closing',
    'journal: debits = those of the daily summary',
    'journal: credits = those of the daily summary',
    'statement: opening + in - out - fees = closing',
    'asset_roll_forward: opening + flows = closing',
    'working_capital: opening + flows = closing',
  ]);
});
