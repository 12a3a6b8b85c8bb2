// As of any instant, on two clocks: the answers from the daily summary equal the sums of the postings.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isoOf, msOf } from '../../src/base/time.ts';
import { post } from '../../src/ledger/entries.ts';
import { type Draft, leg } from '../../src/ledger/entry.ts';
import { type Entry, entryOf, reversalOf } from '../../src/ledger/posting.ts';
import { type Random, randomOf } from '../../src/sandbox/random.ts';
import { freshDatabase, type TestDatabase } from '../database.ts';

const SEEDS = [1, 2, 3];
const ENTRIES = 300;
const INSTANTS = 40;
const DAY_MS = 86_400_000;
const START = msOf('2026-03-28T00:00:00.000Z');
const ENTITIES = ['main', 'Zeta', '9x'];
const ACCOUNTS = ['assets:trading', 'assets:clearing:trading', 'equity:conversion', 'expenses:fees:trading'];
const CURRENCIES = ['EUR', 'BTC'];
/** Values at and around the edge of a millisecond and of a day. */
const EDGES_US = ['', '', '.000001', '.999', '.999999', '.001', '.001001'];

let books: TestDatabase;
beforeAll(async () => {
  books = await freshDatabase();
});
afterAll(() => books.close());

/** An instant of four days: mostly at the edge of one, otherwise anywhere, with microseconds. */
const instant = ({ below, pick }: Random): string => {
  const day = START + below(4) * DAY_MS;
  const seconds = pick([0, 1, DAY_MS / 1_000 - 1, below(DAY_MS / 1_000)]);
  return `${isoOf(day + seconds * 1_000).slice(0, 19)}${pick(EDGES_US)}Z`;
};

/** Entries of several entities, one in five reversed by a later one, in order of recording. */
const history = (random: Random): Entry[] =>
  Array.from({ length: ENTRIES }, (_, nth) => {
    const { below, pick } = random;
    const legs = Array.from({ length: 1 + below(3) }, () => {
      const debit = below(ACCOUNTS.length);
      const credit = (debit + 1 + below(ACCOUNTS.length - 1)) % ACCOUNTS.length;
      const amount = pick([
        '1',
        '0.000000000000000001',
        '123456789012345678901234567890.5',
        `${below(1e6) + 1}.10`,
      ]);
      return leg(ACCOUNTS[debit] ?? '', ACCOUNTS[credit] ?? '', amount, pick(CURRENCIES));
    }).flat();
    const draft: Draft = { kind: 'movement', effectiveAt: instant(random), description: '', legs };
    const name = {
      entity: pick(ENTITIES),
      stream: 'movements',
      recordId: `r${nth}`,
      version: 1,
      ruleVersion: 1,
    };
    const facts = { ...name, recordedAt: instant(random), period: '2026-03', originalPeriod: null };
    const entry = entryOf(draft, { ...facts, ordinal: 1 });
    if (below(5) > 0) return [entry];
    const undone = reversalOf(entry, instant(random), { ...facts, recordedAt: instant(random), ordinal: 2 });
    return [entry, undone];
  }).flat();

const SUMMED = `
  select entity_id, account, currency, trim_scale(sum(amount)) as balance
  from books.postings where effective_at < $1::timestamptz and recorded_at <= $2::timestamptz
  group by 1, 2, 3 having sum(amount) <> 0`;
const ask = async (text: string, values: readonly string[]): Promise<unknown[]> =>
  (await books.pool.query(`select * from (${text}) as answer order by 1, 2, 3`, [...values])).rows;

describe.each(SEEDS)('seed %i', (seed) => {
  const random = randomOf(`as of ${seed}`);
  let entries: Entry[];
  beforeAll(async () => {
    await books.pool.query('truncate ledger.entries, ledger.transfers, ledger.daily, ledger.totals');
    entries = history(random);
    // In batches, as a night posts them: one batch creates summary rows, and the next adds to them.
    for (let from = 0; from < entries.length; from += 37)
      await books.db.transaction().execute((tx) => post(tx, entries.slice(from, from + 37)));
  });

  test('entries posted in batches sum to the whole', async () => {
    const differing = `(table ledger.daily_sums except table ledger.daily)
      union all (table ledger.daily except table ledger.daily_sums)`;
    expect(await ask(differing, [])).toEqual([]);
    const differingNow = `(table ledger.total_sums except table ledger.totals)
      union all (table ledger.totals except table ledger.total_sums)`;
    expect(await ask(differingNow, [])).toEqual([]);
  });

  test('the time in an id is computed alike in TypeScript and SQL', async () => {
    const apart = `select entity_id, entry_id, effective_at from books.entries
      where left(entry_id::text, 13) <> left(books_internal.first_entry_id(effective_at)::text, 13)`;
    expect(await ask(apart, [])).toEqual([]);
  });

  test('as of any instant, known at any instant', async () => {
    const { pick } = random;
    for (let nth = 0; nth < INSTANTS; nth += 1) {
      const [one, other] = [pick(entries), pick(entries)];
      const asOf = pick([one.effectiveAt, instant(random), 'infinity', '-infinity']);
      const knownAt = pick([other.recordedAt, instant(random), 'infinity', '-infinity']);
      const instants = { asOf, knownAt };
      const known = await ask('select * from books.balances_known_at($1, $2)', [asOf, knownAt]);
      expect({ ...instants, known }).toEqual({ ...instants, known: await ask(SUMMED, [asOf, knownAt]) });
      const balances = await ask('select * from books.balances_at($1)', [asOf]);
      expect({ ...instants, held: balances }).toEqual({
        ...instants,
        held: await ask(SUMMED, [asOf, 'infinity']),
      });
    }
  });

  test('current balances equal those at the end of time, where debits equal credits', async () => {
    const now = await ask('select * from books.balances', []);
    expect(now.length).toBeGreaterThan(10);
    expect(now).toEqual(await ask(SUMMED, ['infinity', 'infinity']));
    const uneven = `select entity_id, currency, '' from books_internal.totals_known_at('infinity', 'infinity')
      group by 1, 2 having sum(debit) <> sum(credit)`;
    expect(await ask(uneven, [])).toEqual([]);
  });
});

test('an instant before 1970, and one after the last id, are not out of range', async () => {
  expect(await ask(`select * from books.balances_at('0044-03-15 BC')`, [])).toEqual([]);
  const late = await ask(`select * from books.balances_at('20000-01-01')`, []);
  expect(late).toEqual(await ask('select * from books.balances', []));
});

test('two writers of one account wait for each other, and neither is lost or ends in a deadlock', async () => {
  await books.pool.query('truncate ledger.entries, ledger.transfers, ledger.daily, ledger.totals');
  const all = history(randomOf('two writers')).map((entry) => ({
    ...entry,
    entity: 'main',
    recordedAt: isoOf(START),
  }));
  const half = Math.floor(all.length / 2);
  const write = (entries: Entry[]) => books.db.transaction().execute((tx) => post(tx, entries));
  await Promise.all([write(all.slice(0, half)), write(all.slice(half).reverse())]);
  expect(await ask('select * from books.balances', [])).toEqual(await ask(SUMMED, ['infinity', 'infinity']));
});
