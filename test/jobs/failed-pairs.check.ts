// A night that fails after an entity's lists were read and booked: what it booked is paired, so that no file shows a move as in transit
// whose other side is booked too.
import { expect, test } from 'vitest';
import { extractOnly, nightly, reconcileOnly } from '../../jobs/nightly.ts';
import { loadSql } from '../../src/database/sql.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { as } from '../close/month.ts';
import { openStageAfterNight, type Stage, WORLD } from './stage.ts';

const BUSY = { entities: 1, perDay: 60 };

const inTransit = async ({ database }: Stage): Promise<string[]> => {
  const { text, values } = loadSql('reports/in_transit.sql', { to: '2026-11-05T00:00:00Z', entity: '' });
  const { rows } = await database.pool.query(text, [...values]);
  return rows.flatMap(({ status, stream, record_id }) =>
    status === 'in transit' ? `${stream} ${record_id}` : [],
  );
};

test('what a failed night has booked is in transit only if it still is after a comparison', async () => {
  const stage = await openStageAfterNight(BUSY);
  await stage.sandbox.close();
  stage.sandbox = await startSandbox({ ...WORLD, ...BUSY, faults: ['ban:16'] }); // the balances after the lists
  await stage.advance(1);
  const { exitCode, summary } = await stage.night();
  expect([exitCode, summary]).toEqual([2, expect.stringMatching(/^[1-9]\d* entries booked.*; failed: main/)]);
  const failed = await inTransit(stage);
  await as(stage, (work) => reconcileOnly(work, {}));
  expect(failed).toEqual(await inTransit(stage));
});

test('what a killed night has booked is paired by a night of another entity alone', async () => {
  const stage = await openStageAfterNight({ entities: 2, perDay: 60 });
  await stage.advance(1);
  await as(stage, (work) => extractOnly(work, stage.settings(), { isFull: false }));
  await as(stage, (work) =>
    nightly(work, stage.settings(), { isFull: false, only: 'main', writesFiles: false }),
  );
  const left = await inTransit(stage);
  await as(stage, (work) => reconcileOnly(work, {}));
  expect(left).toEqual(await inTransit(stage));
});
