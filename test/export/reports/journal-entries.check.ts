// journal_entries.csv: the entries of the journal, a line each, over two months of two entities, with what came late after a close, entries
// that Ada prepared and Grace approved, and a reversal. It ties to the journal, the general ledger and the trial balance.
import { describe, expect, test } from 'vitest';
import { reopenMonths } from '../../../src/actions/close.ts';
import { hashesOf } from '../../../src/actions/rebuild.ts';
import { attoOf, attoText, roundToCents, sign, subtract, sum } from '../../../src/base/money.ts';
import { deskOn, idOf } from '../../approvals/desk.ts';
import { as } from '../../close/month.ts';
import { broken, cellOf, openTwoMonths, type Row, SPANS, summed } from './ties.ts';

const { stage, read } = openTwoMonths({
  limitMs: 90_000,
  prepare: async (opened) => {
    const desk = deskOn(opened);
    const enter = async (amount: string, instant: string) => {
      const proposal = idOf(
        await desk.adjust(`assets:trading <- equity:external:platform ${amount}`, instant),
      );
      await desk.approve(proposal);
      const [entry] = await opened.rows(
        `select entry_id from books.manual_entries where proposal_id = '${proposal}'`,
      );
      return entry?.entry_id ?? '';
    };
    await enter('1.5 BTC', '2026-09-20T10:00:00.000Z'); // its month is closed
    await enter('7 NOPRICE', '2026-10-01T12:00:00.000Z'); // nobody has a price
    const mistake = await enter('40.25 EUR', '2026-10-01T13:00:00.000Z');
    await desk.approve(idOf(await desk.reverse(mistake)));
    await opened.night();
  },
});

const { 'October, with what came late': OCTOBER } = SPANS;
const BY_ACCOUNT = ['entity_id', 'account', 'currency'];
/** What the journal shows of an entry in each of its rows. */
const SHARED = [
  'entity_id',
  'number',
  'entry_id',
  'kind',
  'effective_at',
  'period',
  'original_period',
  'stream',
  'record_id',
  'version',
].concat(['reverses', 'prepared_by', 'approved_by', 'description']);
const shared = (row: Row) => SHARED.map((name) => row[name]);
const isManual = ({ stream }: Row): boolean => stream === 'manual';
const positive = (amount: string): string => (sign(amount) > 0 ? amount : '0');

const debitOf = (name: string) => (row: Row) => positive(cellOf(name)(row));

/** What a posting of the general ledger debits, in cents. */
const postedDebit = (row: Row) => positive(sum([cellOf('value')(row), cellOf('rounding_value')(row)]));

/** The lines of value that count in a span, each with its entry. */
const linesOf = ({ from, to }: { from: string; to: string }): Promise<Row[]> =>
  stage().rows(`
    select entity_id, entry_id, account, currency, value, case account when 'expenses:rounding' then value else exact end as exact,
      case when effective_at < '${from}' then 'late' else 'on time' end as counted
    from books.value_postings where posted_at >= '${from}' and posted_at < '${to}'`);

test('the numbers of a period are those of the whole year, counted from its first entry, wherever the period is cut', async () => {
  const wrong = await stage().rows(`
    with whole as (
      select e.entity_id, e.entry_id, e.posted_at, row_number() over (
        partition by e.entity_id, books_internal.fiscal_year_start(e.posted_at, n.timezone, n.fiscal_year_start)
        order by e.posted_at, e.effective_at, e.entry_id
      ) as number
      from books.entries e join books.entities n using (entity_id)
    ), cut (since) as (
      select distinct posted_at + shift from whole
      cross join (values (interval '0'), (interval '1 us'), (interval '-1 us'), (interval '1 ms')) as by (shift)
      where number % 9 = 0 or entry_id in (select entry_id from books.entries where is_late)
      union all values ('-infinity'::timestamptz), ('1960-01-01'), ('2026-10-01'), ('2026-11-01')
    ), numbered as (
      select c.since, k.entity_id, k.entry_id, k.number
      from cut c cross join lateral books_internal.entry_numbers(c.since, c.since + interval '40 days', '') k
    ), expected as (
      select c.since, w.entity_id, w.entry_id, w.number
      from cut c join whole w on w.posted_at >= c.since and w.posted_at < c.since + interval '40 days'
    )
    (table numbered except all table expected) union all (table expected except all table numbered)`);
  expect(wrong).toEqual([]);
  const [cuts] = await stage().rows(
    'select count(*) filter (where is_late) > 2 as late, count(*) > 60 as many from books.entries',
  );
  expect(cuts).toEqual({ late: true, many: true });
});

describe.each(Object.entries(SPANS))('%s', (name, span) => {
  test('each entry of the journal has one line, in its place, with its number and its legs', async () => {
    const journal = await read('journal', span);
    const entries = await read('journal_entries', span);
    expect(entries.length).toBeGreaterThan(20);
    const firsts = journal.filter(({ leg, amount }) => leg === '1' && sign(amount ?? '0') > 0);
    expect(entries.map(shared)).toEqual(firsts.map(shared));
    expect(summed(entries, ['entry_id'], cellOf('legs'))).toEqual(
      summed(journal, ['entry_id'], ({ amount }) => (sign(amount ?? '0') > 0 ? '1' : '0')),
    );
  });

  test('an entry debits what its postings debit in the general ledger, and all of them what the trial balance debits', async () => {
    const entries = await read('journal_entries', span);
    expect(summed(entries, ['entry_id'], cellOf('debit_value'))).toEqual(
      summed(await read('general_ledger', span), ['entry_id'], postedDebit),
    );
    expect(summed(entries, ['entity_id'], cellOf('debit_value'))).toEqual(
      summed(await read('prices_used', span), ['entity_id'], cellOf('debit_value')),
    );
    const balance = await read('trial_balance', span);
    const onTime = (await linesOf(span)).filter(({ counted }) => counted === 'on time');
    const rounded = Object.entries(summed(onTime, BY_ACCOUNT, debitOf('exact'))).map(([key, exact]) => [
      key,
      attoText(roundToCents(attoOf(exact))),
    ]);
    expect(Object.fromEntries(rounded.filter(([, debit]) => debit !== '0'))).toEqual(
      summed(balance, BY_ACCOUNT, cellOf('debit_value')),
    );
  });

  test('the sum is that of the trial balance, with late debits and the rounding of lines', async () => {
    const lines = await linesOf(span);
    const late = lines.filter(({ counted }) => counted === 'late');
    const onTime = lines.filter(({ counted }) => counted === 'on time');
    const balance = summed(await read('trial_balance', span), ['entity_id'], cellOf('debit_value'));
    const parts = [late, onTime].map((part) => summed(part, ['entity_id'], debitOf('value')));
    const entries = summed(await read('journal_entries', span), ['entity_id'], cellOf('debit_value'));
    const lateShown = late.length > 0;
    for (const [entity, total] of Object.entries(entries)) {
      const rounding = subtract(parts[1]?.[entity] ?? '0', balance[entity] ?? '0');
      expect(sum([balance[entity] ?? '0', parts[0]?.[entity] ?? '0', rounding])).toBe(total);
      expect(Number(rounding)).toBeLessThan(0.01 * onTime.length); // a line is at most a cent from its exact value
    }
    const [rule] = (await read('checks', span)).filter(
      ({ report, entity_id }) => report === 'journal_entries' && entity_id === 'main',
    );
    expect([rule?.verdict, rule?.shown_value, rule?.value_currency]).toEqual(['holds', entries.main, 'EUR']);
    expect(lateShown).toBe(/October|days/.test(name));
  });
});

test('an entry has the time of its recording, and the whole days from its effect', async () => {
  const entries = await read('journal_entries', OCTOBER);
  const recorded = await stage().rows('select entry_id, recorded_at::text as recorded_at from books.entries');
  const known = new Map(recorded.map((row) => [row.entry_id, row.recorded_at]));
  for (const { entry_id, recorded_at, effective_at, posted_at, original_period, days_to_record } of entries) {
    expect([entry_id, recorded_at]).toEqual([entry_id, known.get(entry_id ?? '')]);
    const days = (Date.parse(recorded_at ?? '') - Date.parse(effective_at ?? '')) / 86_400_000;
    expect(days_to_record).toBe(`${Math.floor(days)}`);
    expect(posted_at).toBe(original_period === null ? effective_at : '2026-10-01 00:00:00+00');
  }
  const late = entries.filter(({ original_period }) => original_period === '2026-09');
  expect(late.length).toBe(11); // ten records, one entry of a person
  expect(late.every(({ period }) => period === '2026-10')).toBe(true);
});

test('what people entered has who prepared and approved it, and a reversal names what it reverses', async () => {
  const entries = await read('journal_entries', OCTOBER);
  const manual = entries.filter(isManual);
  const shown = ['kind', 'original_period', 'prepared_by', 'approved_by', 'legs', 'debit_value', 'unvalued'];
  expect(manual.map((row) => shown.map((column) => row[column]))).toEqual([
    ['manual', '2026-09', 'Ada', 'Grace', '1', '85373.36', '0'],
    ['manual', null, 'Ada', 'Grace', '1', null, '2'],
    ['reversal', null, 'Ada', 'Grace', '1', null, '0'], // at the instant of what it reverses, so neither has a value
    ['manual', null, 'Ada', 'Grace', '1', null, '0'],
  ]);
  expect(manual[2]?.reverses).toBe(manual[3]?.entry_id);
  expect(entries.filter((row) => !isManual(row) && row.prepared_by !== null)).toEqual([]);
});

test('the hashes of a rebuild have the time of a recording, those of books read at another time do not', async () => {
  const hashes = async (clockless: boolean) => {
    const { 'journal_entries.csv': entries, 'journal.csv': journal } = await hashesOf(stage().database, {
      clockless,
    });
    return [entries?.hash, journal?.hash];
  };
  const [whole, clockless] = [await hashes(false), await hashes(true)];
  const later = (sign: '+' | '-') =>
    stage().rows(
      `update ledger.entries set recorded_at = recorded_at ${sign} interval '3 days' where stream = 'manual'`,
    );
  await later('+');
  const [wholeLater, clocklessLater] = [await hashes(false), await hashes(true)];
  await later('-');
  expect(clocklessLater).toEqual(clockless);
  expect([wholeLater[0] === whole[0], wholeLater[1]]).toEqual([false, whole[1]]);
});

test('an entry that a reopening took back keeps its people, and each month still ties', async () => {
  await as(stage(), (work) =>
    reopenMonths(work, { period: '2026-09', by: 'Grace', reason: 'a correction', only: 'main' }),
  );
  const [september, october] = [
    await read('journal_entries', SPANS['the closed September']),
    await read('journal_entries', OCTOBER),
  ].map((entries) =>
    entries.filter(isManual).map(({ kind, prepared_by, debit_value }) => [kind, prepared_by, debit_value]),
  );
  expect(september).toEqual([['manual', 'Ada', '85373.36']]);
  expect(october).toEqual([
    ['reversal', null, null], // by the reopening
    ['manual', 'Ada', null],
    ['manual', 'Ada', null],
    ['reversal', 'Ada', null],
    ['manual', 'Ada', null],
  ]);
  for (const span of Object.values(SPANS)) {
    expect(await broken(read, span)).toEqual([]);
    expect(summed(await read('journal_entries', span), ['entry_id'], cellOf('debit_value'))).toEqual(
      summed(await read('general_ledger', span), ['entry_id'], postedDebit),
    );
  }
});
