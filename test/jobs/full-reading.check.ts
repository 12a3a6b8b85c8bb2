// A full reading counts only if every list that moves money was read to its end: otherwise the next night tries again.
import { expect, test } from 'vitest';
import { nightly } from '../../jobs/nightly.ts';
import { withRun } from '../../src/run/work.ts';
import { night, openStage } from './stage.ts';

/** A time limit that is over after the first page of each list: each look at the clock finds it so. */
const onePage = () => {
  let ms = 0;
  return {
    limitMs: 60_000,
    clockMs: () => {
      ms += 60_000;
      return ms;
    },
  };
};

test('a full reading that the time limit of a list cuts short is due again in the next night', async () => {
  const stage = await openStage({ entities: 1, days: 2, perDay: 4 });
  const fullRead = () =>
    stage.rows("select full_read_at is not null as done from run.entities where entity_id = 'main'");
  const perList = onePage();
  const options = { isFull: false, writesFiles: false };
  expect(await night(stage.settings(), { ...options, perList })).toMatchObject({ exitCode: 1 });
  const cut = await stage.rows("select subject from books.findings where subject like '%: time'");
  expect([cut.length > 0, await fullRead()]).toEqual([true, [{ done: false }]]);
  expect(await night(stage.settings(), options)).toMatchObject({ exitCode: 0 });
  expect(await fullRead()).toEqual([{ done: true }]);
  await stage.rows("update run.entities set full_read_at = '2026-10-01T00:00:00Z'");
  await night(stage.settings(), { ...options, perList });
  expect(await stage.rows('select full_read_at from run.entities')).toEqual([
    { full_read_at: '2026-10-01T00:00:00.000Z' },
  ]);
});

test('a full reading of trades that is cut short night after night has the new ones all the same', async () => {
  const stage = await openStage({ entities: 1, days: 6, perDay: 40 });
  await stage.night();
  const trades = async () =>
    Number((await stage.rows('select count(*) as trades from books.trades'))[0]?.trades);
  const before = await trades();
  expect(before).toBeGreaterThan(50); // more than a page
  await stage.advance(1);
  await stage.rows("update run.entities set full_read_at = '2026-10-01T00:00:00Z'");
  await night(stage.settings(), { isFull: false, writesFiles: false, perList: onePage() });
  const cut = await trades();
  await stage.night();
  expect([cut, cut > before]).toEqual([await trades(), true]);
});

test('a full reading of trades that is longer than its time is completed by the next nights', async () => {
  const stage = await openStage({ entities: 1, days: 10, perDay: 120 });
  await stage.night();
  await stage.rows("update run.entities set full_read_at = '2026-10-01T00:00:00Z'");
  const settings = stage.settings();
  const nights: string[][] = [];
  let isDue = true;
  while (isDue && nights.length < 5) {
    const offsets: string[] = [];
    const perList = { limitMs: 4, clockMs: () => offsets.length }; // four answers, and what was requested by then
    const tell = ({ event, operation, target }: Record<string, unknown>) => {
      if (event === 'request' && operation === 'trades')
        offsets.push(new URL(`http://g${target}`).searchParams.get('offset') ?? '');
    };
    const options = { isFull: false, writesFiles: false, perList };
    await withRun(settings, 'nightly', { tell, work: (work) => nightly(work, settings, options) });
    nights.push(offsets);
    const [row] = await stage.rows(
      "select full_read_at > '2026-10-01T00:00:00Z' as is_read from run.entities",
    );
    isDue = String(row?.is_read) !== 'true';
  }
  // Two nights if pages are requested ahead of their turn, up to four if the machine is too busy for that.
  expect([isDue, nights.length > 1]).toEqual([false, true]);
  const [newest, ...whole] = nights.flatMap(([first, ...others], nth) =>
    nth === 0 ? [first, ...others] : others,
  );
  expect(Number(newest)).toBeGreaterThan(300);
  const pages = Array.from(whole, (_, nth) => nth * 49);
  expect(whole.map(Number).sort((a, b) => a - b)).toEqual(pages); // no page twice, and none left out
});
