// Departures that are corrected or cancelled, more than once, after their units arrived in a closed month: what is sent again is first what
// had arrived, so no lot lies in transit or in a wallet beside units without one.
import { beforeEach, describe, expect, test } from 'vitest';
import { post } from '../../src/ledger/entries.ts';
import { reversalOf } from '../../src/ledger/posting.ts';
import { derive } from '../../src/valuation/valuation.ts';
import {
  BOOKS,
  booked,
  books,
  buy,
  chargedBy,
  closeBoth,
  gains,
  left,
  made,
  officialRates,
  paired,
  taxed,
  withBooks,
} from './month-stand.ts';

withBooks();

type Made = ReturnType<typeof made>;

/** A transfer to an own wallet and back, or between two own accounts. */
type Way = { readonly outside: string; readonly receiver: string; readonly place: string };

const WALLET: Way = { outside: 'blockchain', receiver: 'main', place: 'external' };
const PAIR: Way = { outside: 'person', receiver: 'a', place: 'in-transit' };

/** One side of a transfer, of which the entries follow each other. */
const sideOf = (entity: string, [name, day]: readonly [string, string], legOf: (units: string) => string) => {
  let [ordinal, standing, amount] = [1, null as Made | null, ''];
  const send = async (units: string, period?: string): Promise<void> => {
    const late = period === undefined ? {} : { period };
    standing = made({ day, ...late, name, entity, ordinal }, [legOf(units)]);
    amount = units;
    await post(books.db, [standing]);
  };
  const undo = async (instant: string, period: string): Promise<void> => {
    if (standing === null) return;
    const originalPeriod = period === instant.slice(0, 7) ? null : instant.slice(0, 7);
    const late = { ordinal: ordinal + 1, recordedAt: instant, period, originalPeriod };
    await post(books.db, [reversalOf(standing, instant, { ...standing, ...late })]);
    [ordinal, standing] = [ordinal + 2, null];
  };
  return {
    send,
    cancel: (month: string) => undo(`${month}-10T12:00:00.000Z`, month),
    correct: async (units: string, period: string): Promise<void> => {
      await undo(`${day}T12:00:00.000Z`, period);
      await send(units, period);
    },
    standing: () => ({ entry: standing, amount }),
  };
};

/** Half of one coin for 40,000 is sent and arrives in January, which is closed; then another one is bought for 60,000. */
const transferred = async ({ outside, receiver }: Way) => {
  const account = `equity:external:${outside}`;
  const out = sideOf('main', ['sent', '2026-01-20'], (units) => `${account} <- assets:trading ${units} BTC`);
  const into = sideOf(
    receiver,
    ['back', '2026-01-25'],
    (units) => `assets:trading <- ${account} ${units} BTC`,
  );
  const pair = async (): Promise<void> => {
    const [from, to] = [out.standing(), into.standing()];
    if (outside === 'person' && from.entry && to.entry)
      await paired(from.entry, to.entry, [from.amount, to.amount]);
  };
  await booked({ day: '2026-01-10', name: 'bought' }, buy('1', '40000'));
  await out.send('0.5');
  await into.send('0.5');
  await pair();
  await booked({ day: '2026-01-28', name: 'dear' }, buy('1', '60000'));
  const closed = async (month: string): Promise<void> => {
    await pair();
    await derive(books.db, BOOKS);
    await closeBoth(month);
  };
  await closed('2026-01');
  return { out, into, pair, closed };
};

/** The two entities of one taxpayer, and whose the wallet is. */
const taxedBy = async (method: string, rules: string): Promise<void> => {
  await books.pool.query(
    `insert into run.entities (entity_id, name, timezone, currency, first_seen_at) values ('a', 'a', 'UTC', 'EUR', '2026-01-01')`,
  );
  await taxed(['main', 'a'], { taxpayer: 'T', method, rules });
  await officialRates('2026-05-31');
  await books.pool.query(`
    insert into decide.counterparty_files (version, file_name, by_name, at) values (1, 'f', 'Ada', now());
    insert into decide.counterparty_rules (version, line, class, counterparty, counterparty_type) values (1, 1, 'blockchain', 'a wallet', 'own')`);
};

describe.each([
  ['fifo', ''],
  ['average', ''],
  ['hifo', ''],
  ['fifo', 'wallets-from:2026-02-01'],
])('with the method %s and the rules "%s"', (method, rules) => {
  beforeEach(() => taxedBy(method, rules));

  describe.each([
    ['an own wallet', WALLET],
    ['another own account', PAIR],
  ])('sent to %s', (_, way) => {
    test('a departure that is corrected, cancelled and sent again as it arrived', async () => {
      const { out, pair, closed } = await transferred(way);
      await out.correct('0.7', '2026-02');
      await closed('2026-02');
      await out.cancel('2026-03');
      await closed('2026-03');
      await out.send('0.5', '2026-04');
      await pair();
      expect(await left()).toEqual(['here 2 100000']);
      expect(await gains()).toBeNull();
    });

    test('a departure that is corrected to less than arrived, and then to what arrived', async () => {
      const { out, pair, closed } = await transferred(way);
      await out.correct('0.7', '2026-02');
      await closed('2026-02');
      await out.correct('0.4', '2026-03');
      await closed('2026-03');
      await out.correct('0.5', '2026-04');
      await pair();
      expect(await left()).toEqual(['here 2 100000']);
      expect(await gains()).toBeNull();
    });

    test('a departure of which a part is sent again, and then the rest', async () => {
      const { out, pair, closed } = await transferred(way);
      await out.cancel('2026-02');
      await closed('2026-02');
      await out.send('0.3', '2026-03');
      await closed('2026-03');
      await out.correct('0.5', '2026-04');
      await pair();
      expect(await left()).toEqual(['here 2 100000']);
    });

    test('an arrival that is corrected in the month in which the departure stands again', async () => {
      const { out, into, pair, closed } = await transferred(way);
      await out.cancel('2026-02');
      await closed('2026-02');
      await out.send('0.5', '2026-03');
      await into.correct('0.4', '2026-03');
      await pair();
      const parts = (await left()).map((line) => line.split(' '));
      expect(parts.map(([place, units]) => `${place} ${units}`).sort()).toEqual(
        [`${way.place} 0.1`, 'here 1.9'].sort(),
      );
      expect(parts.reduce((sum, [, , cost]) => sum + Number(cost), 0)).toBe(100000);
    });
  });
});

test.each(['2026-02', '2026-03'])(
  'a departure that is corrected to more than arrived in a closed month is a finding, until a fee is entered in %s',
  async (month) => {
    const found = async () =>
      (
        await books.pool.query(
          "select kind, units::text from books.value_findings where severity = 'finding'",
        )
      ).rows;
    await taxedBy('fifo', '');
    const { out, pair } = await transferred(PAIR);
    await out.correct('0.6', '2026-02');
    await pair();
    expect((await left()).map((line) => line.split(' ').slice(0, 2))).toEqual([
      ['here', '1.9'],
      ['in-transit', '0.1'],
    ]);
    expect(await found()).toEqual([{ kind: 'other-amount', units: '-0.1' }]);
    await chargedBy(out.standing().entry as Made, `${month}-05`, '0.1');
    expect((await left()).map((line) => line.split(' ').slice(0, 2))).toEqual([['here', '1.9']]);
    expect(await found()).toEqual([]);
  },
);
