// Fees, counterparties, the platform advance, cash and prices in money, and the entries of each account: they tie to the trial
// balance, over two months of two entities.
import { describe, expect, test } from 'vitest';
import { attoOf, attoText, roundToCents, sum } from '../../../src/base/money.ts';
import { deskOn, idOf } from '../../approvals/desk.ts';
import { cellOf, expectWithinHalfACent, negated, openTwoMonths, type Row, SPANS, summed } from './ties.ts';

const { read } = openTwoMonths({
  prepare: async (stage) => {
    const desk = deskOn(stage);
    // the first of each is late, because its month is closed; nobody has a price of NOPRICE
    for (const amount of ['1.5 BTC', '7 NOPRICE'])
      for (const instant of ['2026-09-20T10:00:00.000Z', '2026-10-01T12:00:00.000Z'])
        await desk.approve(
          idOf(await desk.adjust(`assets:trading <- equity:external:platform ${amount}`, instant)),
        );
    await stage.night();
  },
});

const BY_ACCOUNT = ['entity_id', 'account', 'currency'];
const BY_ASSET = ['entity_id', 'currency'];
const isOf = (start: string) => (row: Row) => row.account?.startsWith(start) ?? false;
const changed = (row: Row) =>
  sum([cellOf('debit_value')(row), negated('credit_value')(row), cellOf('prior_period_value')(row)]);

/** What an account carries more at the end than at the beginning, in cents. */
const grown = (row: Row) => sum([cellOf('closing_value')(row), negated('opening_value')(row)]);

/** What the account of a fee carries, in cents. */
const posted = (row: Row) => sum([cellOf('expensed')(row), cellOf('rounding_value')(row)]);

describe.each(Object.entries(SPANS))('%s', (name, span) => {
  test('fees in money are those of the accounts, each in one of three places, and the totals are their sums', async () => {
    const accounts = (await read('trial_balance', span)).filter(isOf('expenses:fees:'));
    const fees = await read('fees', span);
    expect(fees.length).toBeGreaterThan(5);
    expect(summed(fees, BY_ACCOUNT, posted)).toEqual(summed(accounts, BY_ACCOUNT, grown));
    expectWithinHalfACent(
      summed(fees, BY_ACCOUNT, cellOf('expensed')),
      summed(accounts, BY_ACCOUNT, changed),
    );
    const parts = (row: Row) => sum(['in_cost', 'in_proceeds', 'expensed'].map((name) => cellOf(name)(row)));
    const totals = await read('fee_totals', span);
    for (const row of [...fees, ...totals]) expect(cellOf('paid_value')(row)).toBe(parts(row));
    for (const name of ['in_cost', 'in_proceeds', 'expensed', 'paid_value', 'rounding_value'])
      expect(summed(totals, BY_ACCOUNT, cellOf(name))).toEqual(summed(fees, BY_ACCOUNT, cellOf(name)));
    expect(summed(totals, ['entity_id'], cellOf('unvalued'))).toEqual({});
  });

  test('an effective rate is what exchanges paid of the value that was traded, without the fees of payments', async () => {
    const rated = (await read('fee_totals', span)).filter(({ traded_value }) => traded_value);
    expect(rated.map(({ fee }) => fee)).toContain('trading');
    const exchanges = new Set((await read('conversions', span)).map(({ entry_id }) => entry_id));
    const fees = (await read('fees', span)).filter(({ entry_id }) => exchanges.has(entry_id ?? null));
    const ratedPaid = (row: Row) => {
      const [traded, rate] = ['traded_value', 'effective_rate'].map((name) => Number(cellOf(name)(row)));
      return (((rate ?? 0) * (traded ?? 0)) / 100).toFixed(9);
    };
    const paid = summed(fees, BY_ACCOUNT, cellOf('paid_value'));
    for (const [key, shown] of Object.entries(summed(rated, BY_ACCOUNT, ratedPaid)))
      expect(Math.abs(Number(shown) - Number(paid[key] ?? 0)), key).toBeLessThan(0.05);
  });

  test('counterparties and cash in money are the accounts outside, to the cent', async () => {
    const outside = (await read('trial_balance', span)).filter(isOf('equity:external:'));
    const sides = await read('counterparties', span);
    const net = (row: Row) => sum([cellOf('out_value')(row), negated('in_value')(row)]);
    expect(summed(sides, BY_ACCOUNT, net)).toEqual(summed(outside, BY_ACCOUNT, grown));
    expect(Object.keys(summed(sides, ['currency'], cellOf('unvalued')))).toEqual(
      name === 'the closed September' ? [] : ['NOPRICE'],
    );
    const listed: Row[] = (await read('cash_list', span)).map((row) => ({
      ...row,
      account: `equity:external:${row.means}`,
    }));
    const money = outside.filter(({ account }) => /:(bank|card)$/.test(account ?? ''));
    expect(listed.length).toBeGreaterThan(3);
    expect(summed(listed, BY_ACCOUNT, negated('value'))).toEqual(summed(money, BY_ACCOUNT, grown));
    for (const { amount, value } of listed.filter(({ currency }) => currency === 'EUR'))
      expect(sum([value ?? ''])).toBe(amount);
  });

  test('the platform advance adds up, and begins and ends with the account', async () => {
    const owed = (await read('trial_balance', span)).filter(isOf('liabilities:working-capital'));
    const advance = await read('working_capital', span);
    for (const name of ['opening_value', 'closing_value', 'prior_period_value'])
      expect(summed(advance, ['entity_id', 'currency'], cellOf(name))).toEqual(
        summed(owed, ['entity_id', 'currency'], cellOf(name)),
      );
    for (const row of advance) {
      const flows = ['opening', 'prior_period', 'opened', 'paybacks', 'rounding'].map((name) =>
        cellOf(`${name}_value`)(row),
      );
      expect(sum([...flows, negated('refills_value')(row)])).toBe(sum([cellOf('closing_value')(row)]));
    }
  });

  test('every line of value rests on a row of the prices used, and every market rate is found', async () => {
    const prices = await read('prices_used', span);
    const change = (row: Row) => sum([cellOf('debit_value')(row), negated('credit_value')(row)]);
    expect(summed(prices, BY_ASSET, change)).toEqual(
      summed(await read('trial_balance', span), BY_ASSET, grown),
    );
    const rated = prices.filter(({ rule, currency }) => rule === 'rate' && currency !== 'NOPRICE');
    expect(rated.length).toBeGreaterThan(5);
    expect(rated.filter(({ rate, rate_at }) => !rate || !rate_at)).toEqual([]);
  });

  test('what came late has the value of its column in the trial balance, and each entry sums to zero', async () => {
    const late = await read('prior_period', span);
    const cents = (row: Row) => sum([cellOf('value')(row), cellOf('rounding_value')(row)]);
    expect(late.length > 10).toBe(/October|days/.test(name));
    const exact = Object.entries(summed(late, BY_ACCOUNT, cellOf('value')));
    const rounded = exact.map(([key, value]) => [key, attoText(roundToCents(attoOf(value)))]);
    expect(Object.fromEntries(rounded.filter(([, value]) => value !== '0'))).toEqual(
      summed(await read('trial_balance', span), BY_ACCOUNT, cellOf('prior_period_value')),
    );
    expect(summed(late, ['entry_id'], cents)).toEqual({});
    const entries = new Set(late.map(({ entry_id }) => entry_id));
    const ledger = (await read('general_ledger', span)).filter(({ entry_id }) => entries.has(entry_id));
    const place = ['entry_id', 'account', 'currency'];
    expect(summed(late, place, cents)).toEqual(summed(ledger, place, cents));
  });

  test('an entry of a person debits what its lines debit in the general ledger', async () => {
    const entries = await read('manual_entries', span);
    const ids = new Set(entries.map(({ entry_id }) => entry_id));
    const lines = (await read('general_ledger', span))
      .filter(({ entry_id }) => ids.has(entry_id))
      .map((row) => ({ ...row, cents: sum([cellOf('value')(row), cellOf('rounding_value')(row)]) }))
      .filter(({ cents }) => !cents.startsWith('-'));
    expect(summed(entries, ['entry_id'], cellOf('debit_value'))).toEqual(
      summed(lines, ['entry_id'], cellOf('cents')),
    );
    expect(entries.map(({ legs, unvalued }) => [legs?.endsWith('7 NOPRICE'), unvalued])).toEqual(
      entries.map(({ legs }) => (legs?.endsWith(' NOPRICE') ? [true, '2'] : [false, '0'])),
    );
  });

  test('what is booked of each account that the platform reports is carried at the value of the trial balance', async () => {
    const compared = /^assets:(trading|trading-bots|earn|pocket:.*|clearing:.*)$/;
    const balance = (await read('trial_balance', span)).filter(({ account }) => compared.test(account ?? ''));
    const carried = balance.map((row) => ({ ...row, account: row.account?.replace(/-bots$/, '') ?? null }));
    const closing = await read('closing_balances', span);
    expect(summed(closing, BY_ACCOUNT, cellOf('booked_value'))).toEqual(
      summed(carried, BY_ACCOUNT, cellOf('closing_value')),
    );
    for (const row of closing.filter(({ currency, booked }) => currency === 'EUR' && booked !== '0'))
      expect(sum([row.booked_value ?? ''])).toBe(attoText(roundToCents(attoOf(row.booked ?? ''))));
  });

  test('each account has the entries of the journal, the first and the last of them', async () => {
    const journal = await read('journal', span);
    const entries = new Map(journal.map((row) => [`${row.entry_id} ${row.account} ${row.currency}`, row]));
    const balance = await read('trial_balance', span);
    expect(summed(balance, BY_ACCOUNT, cellOf('entries'))).toEqual(
      summed([...entries.values()], BY_ACCOUNT, () => '1'),
    );
    const keyOf = (row: Row) => BY_ACCOUNT.map((name) => row[name]).join(' ');
    const onTime = journal.filter(
      ({ effective_at }) => Date.parse(effective_at ?? '') >= Date.parse(span.from),
    );
    for (const row of balance) {
      const times = onTime
        .filter((line) => keyOf(line) === keyOf(row))
        .map(({ effective_at }) => effective_at);
      expect([keyOf(row), row.first_at, row.last_at]).toEqual([
        keyOf(row),
        times.toSorted()[0] ?? null,
        times.toSorted().at(-1) ?? null,
      ]);
    }
  });
});
