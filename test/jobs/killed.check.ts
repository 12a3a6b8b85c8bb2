// The night, killed at any moment and run again.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { main } from '../cli/tieout.ts';
import { booked, environmentOf, openStage, openStageAfterNight, type Stage, truth } from './stage.ts';

/** Whether it is time to kill. */
type Moment = (stage: Stage) => Promise<boolean>;

/** Runs the night as a program and kills it at its moment. */
const killedNight = async (stage: Stage, moment: Moment): Promise<string | undefined> => {
  const env = environmentOf(stage);
  const options = { env, extendEnv: false, reject: false, cwd: stage.home };
  const child = execa(process.execPath, [main(), 'nightly'], options);
  let isOver = false;
  void child.then(() => {
    isOver = true;
  });
  while (!isOver && !(await moment(stage))) await pause(2);
  child.kill('SIGKILL');
  return (await child).signal;
};

const afterRequests =
  (requests: number): Moment =>
  async (stage) =>
    (await stage.log()).length >= requests;

const written =
  (table: string): Moment =>
  async (stage) =>
    (await stage.rows(`select from ${table} limit 1`)).length > 0;

const MOMENTS: Readonly<Record<string, Moment>> = {
  'the first request': afterRequests(1),
  'the fifth request': afterRequests(5),
  'the first wallet transactions': written("land.records where stream = 'wallet-transactions'"),
  'the first entries': written('ledger.entries'),
  'the first tie-outs': written('reconcile.tie_outs'),
  'the first file': async (stage) => existsSync(join(stage.home, 'exports')),
};

test('killed at any moment and run again, a night gives the same journal as an undisturbed one', async () => {
  const alone = await openStageAfterNight();
  const journal = await alone.journal();
  const killed = async ([name, moment]: [string, Moment]) => {
    const stage = await openStage({ faults: ['slow:4'] });
    const signal = await killedNight(stage, moment);
    const [open, ...others] = await stage.rows('select requests from books.runs where finished_at is null');
    const cut = others.length + 1;
    expect([0, 1, 2, 3, 4], name).toContain(Number(open?.requests) - (await stage.log()).length); // the last may not have left
    const { exitCode } = await stage.night();
    const after = { name, signal, cut, exitCode, journal: await stage.journal() };
    expect(after).toEqual({ name, signal: 'SIGKILL', cut: 1, exitCode: 0, journal });
    expect(await booked(stage)).toEqual(await truth(stage));
  };
  const moments = Object.entries(MOMENTS);
  for (let start = 0; start < moments.length; start += 3)
    await Promise.all(moments.slice(start, start + 3).map(killed));
});
