// The night as a whole: against the truth of a world, twice.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { work } from '../../jobs/worker.ts';
import { booked, exported, openStage, type Stage, truth } from './stage.ts';

/** What a later night over the same world may not change: all except coverage, comparison times and values of that time. */
const lasting = (stage: Stage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(exported(stage.home)).filter(
      ([file]) =>
        !/((coverage|tie_outs|manifest|report)\.\w+|2026-11\/(holdings|open_lots|valuation)\.csv)$/.test(
          file,
        ),
    ),
  );

test('a second night books nothing, writes the same bytes, and sends few requests', async () => {
  const stage = await openStage({ entities: 2 });
  const first = await stage.nightWithFiles();
  const files = lasting(stage);
  const second = await stage.nightWithFiles();
  expect([first.exitCode, second.exitCode]).toEqual([0, 0]);
  expect(second.summary).toMatch(/^0 entries booked, 0 open breaks, 0 rejects, 0 gaps, 0 findings/);
  expect(lasting(stage)).toEqual(files);
  expect(Object.keys(files)).toContain('2026-10/journal.csv');
  expect(second.requests).toBeLessThanOrEqual(1 + 2 * 12);
  expect(await stage.rows('select * from books.conservation where undecided <> 0')).toEqual([]);
});

test('two nights with a day in between equal the truth', async () => {
  const stage = await openStage({ seed: 12, entities: 2, days: 12, perDay: 40 });
  expect((await stage.night()).summary).toMatch(/ 0 open breaks, 0 rejects, 0 gaps, 0 findings/);
  expect(await booked(stage)).toEqual(await truth(stage));
  await stage.advance(1);
  const second = await stage.night();
  expect(second).toMatchObject({ exitCode: 0 });
  expect(second.summary).not.toMatch(/^0 entries/);
  const expected = await truth(stage);
  expect(await booked(stage)).toEqual(expected);
  for (const account of [
    'assets:pocket:',
    'assets:trading ',
    'assets:earn ',
    'expenses:fees:',
    'income:rewards',
  ])
    expect(expected.join('\n')).toContain(` ${account}`);
});

test('an exports.json of another program is refused before anything is read, by a night and by a worker', async () => {
  const stage = await openStage({ days: 1 });
  writeFileSync(join(stage.home, 'exports.json'), '{"exports":[]}');
  const refusal = /exports\.json is not a file that tieout wrote/;
  await expect(stage.nightWithFiles()).rejects.toThrow(refusal);
  const { signal } = new AbortController();
  const options = {
    crontab: { text: '30 2 * * * night', path: '' },
    jobsMax: 1,
    metricsPort: null,
    metricsHost: '',
    isNow: true,
  };
  const beside = { tell: () => {}, onFinish: async () => {}, signal, writesFiles: true };
  await expect(work(stage.settings(), { ...options, ...beside })).rejects.toThrow(refusal);
  expect(await stage.log()).toEqual([]);
});
