// Lots compared with another program: beancount books the same purchases and sales, FIFO,
// and bean-query reads its disposals. Skipped by name if it is not installed.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { attoOf, attoText, roundToCents } from '../../src/base/money.ts';
import { randomOf } from '../../src/sandbox/random.ts';
import type { Method } from '../../src/valuation/pool.ts';
import { newFolder } from '../room.ts';
import { standOf } from './stand.ts';

const isMissing = ['bean-check', 'bean-query'].some(
  (program) => spawnSync(program, ['--version'], { stdio: 'ignore' }).error !== undefined,
);
const title = (text: string) => `beancount: ${text}${isMissing ? ' (skipped: no bean-query here)' : ''}`;

type Trade = {
  readonly coin: string;
  readonly isBuy: boolean;
  readonly units: string;
  readonly euro: string;
  readonly fee: string;
};

const COINS = ['BTC', 'ETH', 'GEM'];
const TRADES = 400;

/** Trades of three coins, never selling more than the holding; units to 8 decimals, euro to the cent. */
const trades = (): Trade[] => {
  const random = randomOf('lots beside beancount');
  const balances = new Map(COINS.map((coin) => [coin, 0n]));
  const decimals = (units: bigint, places: number) =>
    (units / 10n ** BigInt(18 - places)) * 10n ** BigInt(18 - places);
  return Array.from({ length: TRADES }, (_, nth) => {
    const coin = random.pick(COINS);
    const has = balances.get(coin) ?? 0n;
    const isBuy = nth < 12 || has < 10n ** 16n || random.chance(45);
    const units = decimals(
      isBuy ? random.units(5n * 10n ** 18n) + 10n ** 16n : random.units(has / 2n) + 10n ** 10n,
      8,
    );
    const euro = decimals((units * (20_000n + random.units(9_000n))) / 100n + 10n ** 16n, 2);
    balances.set(coin, has + (isBuy ? units : -units));
    const fee = decimals(euro / 625n, 2);
    return { coin, isBuy, units: attoText(units), euro: attoText(euro), fee: attoText(fee) };
  });
};

/** Our disposals, as `trade coin units cost`, one row for each part of a lot, in order. */
const ours = (method: Method, list: readonly Trade[]): string[] => {
  const { book } = standOf(method);
  return list.flatMap(({ coin, isBuy, units, euro, fee }, nth) => {
    const legs = isBuy
      ? [
          `assets:trading <- equity:conversion ${units} ${coin}`,
          `equity:conversion <- assets:trading ${euro} EUR`,
        ]
      : [
          `equity:conversion <- assets:trading ${units} ${coin}`,
          `assets:trading <- equity:conversion ${euro} EUR`,
        ];
    const fees = attoOf(fee) === 0n ? [] : [`expenses:fees:trading <- assets:trading ${fee} EUR`];
    const { uses } = book([...legs, ...fees], { hour: nth });
    return uses.map((use) => rowOf(nth, coin, attoText(use.units), attoText(use.cost ?? 0n)));
  });
};

const rowOf = (nth: number, coin: string, units: string, cost: string): string =>
  `t${nth} ${coin} ${units} ${attoText(roundToCents(attoOf(cost)))}`;

/** The same as a journal: a lot with its total cost, fee included; a sale reduces by the booking method. */
const journalOf = (list: readonly Trade[]): string =>
  [
    'option "operating_currency" "EUR"',
    'option "inferred_tolerance_default" "EUR:0.005"', // a price per unit has 28 digits there
    `2026-01-01 open Assets:Coins "FIFO"`,
    ...['Assets:Euro', 'Income:Gains'].map((account) => `2026-01-01 open ${account}`),
    ...list.map(({ coin, isBuy, units, euro, fee }, nth) => {
      const sum = (a: string, b: string, sign: bigint) => attoText(attoOf(a) + sign * attoOf(b));
      const lines = isBuy
        ? [
            `  Assets:Coins  ${units} ${coin} {{${sum(euro, fee, 1n)} EUR}}`,
            `  Assets:Euro  -${sum(euro, fee, 1n)} EUR`,
          ]
        : [
            `  Assets:Coins  -${units} ${coin} {}`,
            `  Assets:Euro  ${sum(euro, fee, -1n)} EUR`,
            '  Income:Gains',
          ];
      return [`${dayOf(nth)} * "t${nth}"`, ...lines].join('\n');
    }),
    '',
  ].join('\n\n');

/** A day for each trade: beancount orders lots by day. */
const dayOf = (nth: number): string =>
  new Date(Date.parse('2026-01-02T00:00:00Z') + nth * 86_400_000).toISOString().slice(0, 10);

describe('disposals', () => {
  let folder = '';
  beforeAll(() => {
    folder = newFolder();
  });

  const theirs = (list: readonly Trade[]): string[] => {
    const [journal, out] = [join(folder, 'trades.beancount'), join(folder, 'uses.csv')];
    writeFileSync(journal, journalOf(list));
    const env = {
      ...process.env,
      BEANCOUNT_DISABLE_LOAD_CACHE: '1',
      PYTHONDONTWRITEBYTECODE: '1',
    };
    const checked = spawnSync('bean-check', [journal], { env, encoding: 'utf8' });
    expect([checked.status, checked.stderr]).toEqual([0, '']);
    const query =
      "select narration, number, currency, number(cost(position)) as cost where account = 'Assets:Coins' and number < 0";
    spawnSync('bean-query', ['-f', 'csv', '-o', out, journal, query], { env });
    return readFileSync(out, 'utf8')
      .split('\n')
      .slice(1)
      .filter((line) => line.trim() !== '')
      .map((line) => {
        const [name = '', units = '', coin = '', cost = ''] = line
          .split(',')
          .map((cell) => cell.trim().replace(/^"|"$/g, ''));
        const amount = cost.replace('-', '');
        return rowOf(Number(name.slice(1)), coin, attoText(attoOf(units.replace('-', ''))), amount);
      });
  };

  test.skipIf(isMissing)(title('every fraction has the same units and cost'), () => {
    const list = trades();
    const [a, b] = [ours('fifo', list), theirs(list)];
    expect(b.length).toBeGreaterThan(200);
    expect(differences(a, b)).toEqual([]);
    // and the comparison detects a difference
    expect(differences(ours('hifo', list), b).length).toBeGreaterThan(100);
  });
});

const differences = (a: readonly string[], b: readonly string[]): string[] => {
  const [ours, theirs] = [new Set(a), new Set(b)];
  return [...a.filter((row) => !theirs.has(row)), ...b.filter((row) => !ours.has(row))];
};
