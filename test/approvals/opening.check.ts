// Openings: files of balances from before our history, line by line, and their entries.
import { expect, test } from 'vitest';
import { momentIn, momentOption } from '../../src/actions/moments.ts';
import { rebuild } from '../../src/actions/rebuild.ts';
import { evidenceOf, OPENING_COLUMNS, readOpening } from '../../src/approvals/approvals.ts';
import { AUTUMN, as } from '../close/month.ts';
import { openStageAfterNight } from '../jobs/stage.ts';
import { deskOn, fileOf, idOf } from './desk.ts';

const HEAD = OPENING_COLUMNS.join(',');
const read = (...lines: string[]) =>
  readOpening(fileOf([HEAD, ...lines].join('\n')), { reporting: 'EUR', momentOf: momentIn('Europe/Madrid') });

test("one line per lot: assets are debited, liabilities credited, at the start of the day in the books' timezone", () => {
  expect(
    read(
      'assets:trading,BTC,0.50,12000.10,EUR,2019-03-01,2020-01-01',
      'assets:earn,EUR,0.000000000000000001,,,,2020-01-01',
      'liabilities:working-capital,USDC,100,,,,2019-12-31T23:00:00Z',
    ),
  ).toEqual({
    effectiveAt: '2019-12-31T23:00:00.000Z',
    legs: [
      { debit: 'assets:trading', credit: 'equity:opening', currency: 'BTC', amount: '0.5' },
      { debit: 'assets:earn', credit: 'equity:opening', currency: 'EUR', amount: '0.000000000000000001' },
      { debit: 'equity:opening', credit: 'liabilities:working-capital', currency: 'USDC', amount: '100' },
    ],
    lots: [
      {
        account: 'assets:trading',
        currency: 'BTC',
        units: '0.5',
        cost: '12000.1',
        cost_currency: 'EUR',
        acquired_on: '2019-03-01',
      },
      {
        account: 'assets:earn',
        currency: 'EUR',
        units: '0.000000000000000001',
        cost: null,
        cost_currency: null,
        acquired_on: null,
      },
      {
        account: 'liabilities:working-capital',
        currency: 'USDC',
        units: '100',
        cost: null,
        cost_currency: null,
        acquired_on: null,
      },
    ],
  });
});

const GOOD = 'assets:trading,EUR,1,,,,2020-01-01';

test.each([
  [
    ['assets:vault,EUR,1,,,,2020-01-01'],
    'line 2: there is no account assets:vault; there are assets:trading',
  ],
  [['equity:opening,EUR,1,,,,2020-01-01'], 'line 2: equity:opening cannot have an opening balance'],
  [['assets:trading,eur,1,,,,2020-01-01'], 'line 2: the currency "eur" is no code'],
  [['assets:trading,EUR,0,,,,2020-01-01'], 'line 2: the amount 0 is not above zero'],
  [['assets:trading,EUR,-1,,,,2020-01-01'], 'line 2: the amount -1 is not above zero'],
  [['assets:trading,EUR,1e3,,,,2020-01-01'], 'line 2: the amount "1e3" is not written out in digits'],
  [['assets:trading,EUR,0.0000000000000000001,,,,2020-01-01'], 'has 19 decimals, more than 18'],
  [['assets:trading,EUR,1,,,,January'], 'line 2: the date "January" is neither a day nor an instant'],
  [['assets:trading,EUR,1,,,,2020-02-30'], 'line 2: the date "2020-02-30" is neither'],
  [['assets:trading,BTC,1,,,,2020-01-01'], 'line 2: cost, cost_currency and acquired_on belong together'],
  [['assets:trading,BTC,1,5,EUR,,2020-01-01'], 'line 2: cost, cost_currency and acquired_on belong together'],
  [['assets:trading,BTC,1,-5,EUR,2019-01-01,2020-01-01'], 'line 2: the cost -5 is negative'],
  [['assets:trading,EUR,100,90,EUR,2019-01-01,2020-01-01'], 'line 2: 100 EUR cannot cost 90 EUR'],
  [['assets:trading,BTC,1,5,EUR,2020-01-02,2020-01-01'], 'acquired_on 2020-01-02 is after the date'],
  [['assets:trading,BTC,1,5,EUR,2019-13-01,2020-01-01'], 'acquired_on "2019-13-01" is not a date'],
  [[GOOD, 'assets:earn,EUR,1,,,,2020-01-02'], 'line 3: its date is 2020-01-02, that of line 2 is 2020-01-01'],
  [[GOOD, GOOD], 'line 3: it repeats line 2'],
])('%j is refused', (lines, message) => {
  expect(() => read(...lines)).toThrow(message);
});

test('an opening is posted once approved, lists objections to it, and precedes every record of its account', async () => {
  const stage = await openStageAfterNight(AUTUMN);
  const desk = deskOn(stage);
  const csv = (date: string) => `${HEAD}\nassets:trading,BTC,2,100,EUR,2019-01-01,${date}\n`;
  const proposed = await desk.open(csv('2020-01-01'));
  expect(proposed.shown?.cautions).toEqual([
    expect.stringContaining('is proved complete from its beginning'),
  ]);
  await desk.approve(idOf(proposed));
  const [entry] = await stage.rows('select effective_at, period from books.manual_entries');
  expect(entry).toEqual({ effective_at: '2020-01-01T00:00:00.000Z', period: '2020-01' });
  expect(
    await stage.rows(
      "select balance::text from books.balances where entity_id = 'main' and account = 'equity:opening'",
    ),
  ).toEqual([{ balance: '-2' }]);
  const second = await desk.open(csv('2020-01-02'));
  expect(second.shown?.cautions).toContainEqual(
    expect.stringMatching(/^assets:trading BTC was opened before, by/),
  );
  await expect(desk.open(csv('2026-10-02'))).rejects.toThrow(
    /^assets:trading BTC has records since 2026-\S+, before the opening at 2026-10-02/,
  );
  await expect(desk.open(csv('2999-01-01'))).rejects.toThrow('is in the future');
  await expect(desk.open(csv('2020-01-03'), { only: 'nobody' })).rejects.toThrow('no books of entity nobody');
  expect((await as(stage, rebuild, 'owner')).isEqual).toBe(true);
});

test('a pocket that was never listed is refused as a typing error', async () => {
  const stage = await openStageAfterNight(AUTUMN);
  await expect(
    deskOn(stage).adjust('assets:pocket:nope <- equity:opening 1 EUR', '2026-09-15T00:00:00.000Z'),
  ).rejects.toThrow('assets:pocket:nope was never listed for main');
});

test("a moment is an instant, or a day in the books' timezone", () => {
  const madrid = momentIn('Europe/Madrid');
  expect(madrid('2026-07-01')).toBe('2026-06-30T22:00:00.000Z');
  expect(madrid('2026-07-01T00:00:00+02:00')).toBe('2026-06-30T22:00:00.000Z');
  expect(madrid('2026-02-31')).toBeNull();
  expect(() => momentOption('tomorrow', 'UTC')).toThrow('--at is "tomorrow": write a day');
});

test('evidence is the name and digest of a file that is not empty', () => {
  expect(evidenceOf(fileOf('abc', 'mail.eml'))).toEqual({
    name: 'mail.eml',
    sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  });
  expect(() => evidenceOf(fileOf(''))).toThrow('is empty: name another file');
  expect(() => evidenceOf('/no/such')).toThrow('/no/such: cannot be read (ENOENT)');
});
