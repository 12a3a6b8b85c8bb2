// Booking beside reading: the same books as booking after it, and a failure of either ends the other.
import { describe, expect, test } from 'vitest';
import { bookBeside } from '../../jobs/beside.ts';
import { nightly } from '../../jobs/nightly.ts';
import { type Result, withRun } from '../../src/run/work.ts';
import { night, openStage, openStageAfterNight, type Stage } from './stage.ts';

const SMALL = { entities: 1, days: 3, perDay: 40 };

/** Everything booked, without the times of landing and the order of booking. */
const booksOf = async (stage: Stage) => {
  const [digest] = await stage.rows(`
    select (select md5(string_agg(t::text, ',' order by t::text)) from (
        select entity_id, entry_id, effective_at, period, kind, stream, record_id, version, ordinal, reverses, description from ledger.entries
      ) as t) as entries,
      (select md5(string_agg(t::text, ',' order by t::text)) from ledger.transfers as t) as legs,
      (select md5(string_agg(t::text, ',' order by t::text)) from ledger.outcomes as t) as outcomes,
      (select count(*) from land.inbox) as waiting,
      (select count(*) from (table ledger.daily except all select * from ledger.daily_sums) as t) as wrong_days,
      (select count(*) from (table ledger.totals except all select * from ledger.total_sums) as t) as wrong_totals`);
  return { ...digest, journal: await stage.journal() };
};

/** A result without the instants up to which it proved, which are those of the reading. */
const withoutTimes = ({ verdicts = [], ...result }: Result) => ({
  ...result,
  verdicts: verdicts.map(({ watermark: _, ...verdict }) => verdict),
});

test('a night that books while it reads has the books of one that books afterwards', async () => {
  const [after, beside] = [await openStage(SMALL), await openStage(SMALL)];
  const result = await night(after.settings(), { writesFiles: false });
  const events: string[] = [];
  const settings = beside.settings();
  const other = await withRun(settings, 'nightly', {
    tell: ({ event }) => void events.push(event),
    work: (work) => nightly(work, settings, { isFull: false, writesFiles: false, versionsMin: 1 }),
  });
  expect(events.indexOf('booking')).toBeLessThan(events.lastIndexOf('page'));
  expect(withoutTimes(other)).toEqual(withoutTimes(result));
  expect(await booksOf(beside)).toEqual(await booksOf(after));
  expect(await booksOf(beside)).toMatchObject({ waiting: '0', wrong_days: '0', wrong_totals: '0' });
});

describe('a failure', () => {
  const besideIn = async (currency: string, read: Parameters<typeof bookBeside>[2]) => {
    const stage = await openStageAfterNight(SMALL);
    const tell = () => {};
    return withRun(stage.settings(), 'nightly', {
      tell,
      work: async (work) => {
        const config = { ...work.config, currency };
        await bookBeside({ ...work, config }, { entity: 'main', versionsMin: 1 }, read);
        throw new Error('nothing failed');
      },
    });
  };

  test('of the booking ends the reading', async () => {
    const ended = besideIn('USD', async ({ landed, signal }) => {
      landed(1);
      await new Promise((stop) => signal.addEventListener('abort', stop, { once: true }));
      signal.throwIfAborted();
    });
    await expect(ended).rejects.toThrow('TIEOUT_CURRENCY is USD');
  });

  test('of the reading ends the booking', async () => {
    const ended = besideIn('EUR', async ({ landed }) => {
      landed(1);
      throw new Error('the gateway is gone');
    });
    await expect(ended).rejects.toThrow('the gateway is gone');
  });
});
