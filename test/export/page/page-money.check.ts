// The part in money of the page, cent by cent: every figure is one of a report beside it, in euros and in dollars, over a generated
// world of two entities with a closed month and records that came too late for it.
import { beforeAll, describe, expect, test } from 'vitest';
import { compare, negate, subtract, sum } from '../../../src/base/money.ts';
import { type Overview, overviewOf, readFigures, totalOf } from '../../../src/export/page/figures.ts';
import { STEPS } from '../../../src/export/page/overview.ts';
import { paidOf } from '../../../src/export/page/paid.ts';
import { rowsIn } from '../../../src/export/page/rows.ts';
import { NO_REUSE } from '../../../src/export/reports/reuse.ts';
import { inSnapshot } from '../../../src/export/reports/snapshot.ts';
import type { Stage } from '../../jobs/stage.ts';
import {
  cellOf,
  negated,
  type Read,
  type Row,
  readerOf,
  SPANS,
  summed,
  worldsByCurrency,
} from '../reports/ties.ts';

const overviewIn = (
  stage: Stage,
  { from, to }: { readonly from: string; readonly to: string },
  currency: string,
): Promise<Overview> =>
  inSnapshot(stage.database.pool, async (snapshot) =>
    overviewOf(
      await readFigures(rowsIn(snapshot, NO_REUSE), { from, to, timezone: 'UTC', entity: '' }),
      currency,
    ),
  );

const isHolding = ({ account }: Row): boolean => /^assets:(?!tax-withheld$)/.test(account ?? '');
const total = (rows: readonly Row[], figure: (row: Row) => string): string => sum(rows.map(figure));
const ofAccounts = (rows: readonly Row[], pattern: RegExp): Row[] =>
  rows.filter(({ account }) => pattern.test(account ?? ''));

/** Rows of accounts as the page names them: `a:*, b` are both, `a:* − a:b` is one without the other. */
const rowsBehind = (rows: readonly Row[], accounts: string): Row[] => {
  const [all = '', without = ''] = accounts.split(' − ');
  const isIn = (account: string, paths: string): boolean =>
    paths
      .split(', ')
      .some((path) => account === path || (path.endsWith('*') && account.startsWith(path.slice(0, -1))));
  return rows.filter(({ account }) => isIn(account ?? '', all) && !isIn(account ?? '', without));
};

describe.each(Object.entries(worldsByCurrency()))('in %s', (currency, world) => {
  let stage: Stage;
  let read: Read;
  beforeAll(async () => {
    stage = await world();
    read = readerOf(stage);
  });

  describe.each(Object.entries(SPANS))('%s', (_name, span) => {
    test('the waterfall leads from the opening to the closing of the trial balance and the valuation', async () => {
      const { steps } = await overviewIn(stage, span, currency);
      const balance = await read('trial_balance', span);
      const holdings = await read('valuation', span);
      const assets = balance.filter(isHolding);
      const step = (name: string) => steps.get(name) ?? '0';
      expect(step('opening')).toBe(total(assets, cellOf('opening_value')));
      expect(step('closing')).toBe(total(assets, cellOf('closing_value')));
      expect(step('closing')).toBe(total(holdings, cellOf('cost')));
      expect(step('closing')).not.toBe('0');
      const between = [...steps].filter(([name]) => name !== 'opening' && name !== 'closing');
      expect(sum([step('opening'), ...between.map(([, value]) => value ?? '0')])).toBe(step('closing'));
    });

    test('each step is the change of its accounts in the trial balance', async () => {
      const { steps } = await overviewIn(stage, span, currency);
      const balance = await read('trial_balance', span);
      const change = (rows: Row[]) =>
        sum([total(rows, cellOf('credit_value')), total(rows, negated('debit_value'))]);
      const outside = ofAccounts(balance, /^equity:external:/);
      const step = (name: string) => steps.get(name) ?? '0';
      expect(step('in')).toBe(total(outside, cellOf('credit_value')));
      expect(step('out')).toBe(total(outside, negated('debit_value')));
      const gains = /^(income:gains|expenses:losses):/;
      expect(step('gains')).toBe(change(ofAccounts(balance, gains)));
      expect(step('rewards')).toBe(change(ofAccounts(balance, /^income:(?!gains:)/)));
      expect(step('fees')).toBe(change(ofAccounts(balance, /^expenses:fees:/)));
      expect(step('advances')).toBe(change(ofAccounts(balance, /^liabilities:/)));
      const others = balance.filter((row) => !isHolding(row));
      expect(step('late')).toBe(total(others, negated('prior_period_value')));
    });

    test('each step is that of the accounts that the page names beside it', async () => {
      const { steps } = await overviewIn(stage, span, currency);
      const balance = await read('trial_balance', span);
      const names = new Map<string, string>(STEPS);
      const rows = (name: string) => rowsBehind(balance, names.get(name) ?? '');
      const step = (name: string) => steps.get(name) ?? '0';
      for (const name of ['opening', 'closing'])
        expect(step(name), name).toBe(total(rows(name), cellOf(`${name}_value`)));
      for (const name of ['gains', 'rewards', 'fees', 'tax', 'advances'])
        expect(step(name), name).toBe(
          sum([total(rows(name), cellOf('credit_value')), total(rows(name), negated('debit_value'))]),
        );
    });

    test('assets, places and market value are those of the valuation', async () => {
      const overview = await overviewIn(stage, span, currency);
      const holdings = await read('valuation', span);
      const assets = overview.assets.closing.map((asset): Row => ({ ...asset, currency: asset.name }));
      for (const [ours, theirs] of [
        ['market', 'market_value'],
        ['cost', 'cost'],
        ['units', 'units'],
      ] as const)
        expect(summed(assets, ['currency'], cellOf(ours)), ours).toEqual(
          summed(holdings, ['currency'], cellOf(theirs)),
        );
      const both = holdings.filter((row) => row.market_value && row.cost);
      const unrealised = subtract(total(both, cellOf('market_value')), total(both, cellOf('cost')));
      expect(totalOf(overview.assets.closing, 'unrealised')).toBe(unrealised);
      expect(unrealised).toBe(total(holdings, cellOf('unrealised')));
      for (const figure of ['market', 'cost'] as const)
        expect(totalOf(overview.places, figure), figure).toBe(totalOf(overview.assets.closing, figure));
      const balance = await read('trial_balance', span);
      const cost = (name: string) => overview.places.find((place) => place.name === name)?.cost ?? '0';
      expect(cost('pockets')).toBe(total(ofAccounts(balance, /^assets:pocket:/), cellOf('closing_value')));
      expect(cost('trading')).toBe(total(ofAccounts(balance, /^assets:trading$/), cellOf('closing_value')));
      const owed = ofAccounts(balance, /^liabilities:/).map((row): Row => row);
      const owedUnits = overview.owed.map((asset): Row => ({ ...asset, currency: asset.name }));
      expect(summed(owedUnits, ['currency'], cellOf('units'))).toEqual(
        summed(owed, ['currency'], cellOf('closing')),
      );
    });

    test('fees expensed are those of the accounts, and counterparties sum to what entered and left', async () => {
      const { fees, parties, steps, volume } = await overviewIn(stage, span, currency);
      const trades = (await read('conversions', span)).filter(({ stream }) => stream === 'trades');
      expectNear(volume ?? '', total(trades, cellOf('value')), 2);
      expect(compare(volume ?? '', '0')).toBe(1);
      const balance = ofAccounts(await read('trial_balance', span), /^expenses:fees:/);
      const expensed = sum(fees.map((row) => row.expensed ?? '0'));
      const carried = sum([
        total(balance, cellOf('debit_value')),
        total(balance, negated('credit_value')),
        total(balance, cellOf('prior_period_value')),
      ]);
      expectNear(expensed, carried, balance.length + fees.length);
      expect(compare(paidOf(fees).total ?? '', expensed)).toBeGreaterThanOrEqual(0);
      const outside = ofAccounts(await read('trial_balance', span), /^equity:external:/);
      const lines = outside.length;
      expectNear(sum(parties.map((row) => row.in ?? '0')), steps.get('in') ?? '0', lines + parties.length);
      expectNear(
        sum(parties.map((row) => row.out ?? '0')),
        negate(steps.get('out') ?? '0'),
        lines + parties.length,
      );
      const changed = sum([
        total(outside, negated('closing_value')),
        total(outside, cellOf('opening_value')),
        total(outside, cellOf('prior_period_value')),
      ]);
      const received = sum(parties.flatMap((row) => [row.in ?? '0', negate(row.out ?? '0')]));
      expect(received).toBe(changed); // to the cent
      const file = await read('counterparties', span);
      expect(new Set(parties.map((row) => row.counterparty_type))).toEqual(
        new Set(file.map((row) => row.counterparty_type)),
      );
    });
  });

  test('each month has the gains, the cost and the market value of its own reports', async () => {
    const { months } = await overviewIn(stage, SPANS['the year'], currency);
    expect(months.map(({ month }) => month)).toContain('2026-09');
    for (const row of months) {
      const [year = '', month = ''] = (row.month ?? '').split('-');
      const next =
        month === '12'
          ? `${Number.parseInt(year, 10) + 1}-01`
          : `${year}-${String(Number.parseInt(month, 10) + 1).padStart(2, '0')}`;
      const span = { from: `${row.month}-01T00:00:00Z`, to: `${next}-01T00:00:00Z` };
      const gains = ofAccounts(await read('trial_balance', span), /^(income:gains|expenses:losses):/);
      const holdings = await read('valuation', span);
      const moved = (account: Row) =>
        sum([
          cellOf('credit_value')(account),
          negated('debit_value')(account),
          negated('prior_period_value')(account),
        ]);
      expect(row.realised, row.month ?? '').toBe(total(gains, moved));
      const { steps } = await overviewIn(stage, span, currency);
      const late = total(gains, cellOf('prior_period_value'));
      expect(row.realised, row.month ?? '').toBe(subtract(steps.get('gains') ?? '0', late)); // the same cents on one page
      expect(row.cost, row.month ?? '').toBe(total(holdings, cellOf('cost')));
      expect(row.market, row.month ?? '').toBe(total(holdings, cellOf('market_value')));
    }
  });
});

/** Figures rounded once each and their sum rounded once differ by at most half a cent a figure. */
const expectNear = (found: string, expected: string, figures: number): void => {
  const apart = subtract(found, expected).replace('-', '');
  expect(compare(apart, sum(Array<string>(figures).fill('0.005')))).toBeLessThanOrEqual(0);
};
