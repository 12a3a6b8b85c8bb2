// A close, and a concurrent writer as the loader, without our lock: what began before the seal is in it or refused.
import { expect, test } from 'vitest';
import { type Closed, closeMonth } from '../../src/close/close.ts';
import type { Session } from '../../src/database/client.ts';
import { openSession } from '../../src/database/connection.ts';
import { addressesOf } from '../database/roles/logins.ts';
import { openStageAfterNight, type Stage } from '../jobs/stage.ts';
import { AUTUMN, as, close, faultsIn, TERMS } from './month.ts';

/** An entry of September, as the loader may add one while that month is open. */
const enter = async (session: Session, name: string): Promise<void> => {
  const { rows } = await session.query(
    `insert into ledger.entries (entity_id, entry_id, effective_at, recorded_at, period, kind, stream, record_id, version,
      ordinal, rule_version, description)
    values ('main', gen_random_uuid(), '2026-09-29', now(), '2026-09', 'movement', 'movements', $1, 1, 1, 1, '')
    returning entry_id`,
    [name],
  );
  await session.query(
    "insert into ledger.transfers values ('main', $1, 1, 'assets:trading', 'equity:external:platform', 'EUR', 5)",
    [rows[0].entry_id],
  );
};

const septemberRead = async (): Promise<{ stage: Stage; loader: Session }> => {
  const stage = await openStageAfterNight({ ...AUTUMN, entities: 1 });
  return { stage, loader: await openSession((await addressesOf(stage.database.url)).loader) };
};

/** Seals September of the entity, without what a close does before. */
const sealAlone = (stage: Stage): Promise<Closed> =>
  as(stage, async (work) => {
    const desk = { pool: work.pool, decider: await work.as('preparer') };
    return closeMonth(desk, 'main', { ...TERMS, period: '2026-09' });
  });

test('a seal waits for a transaction that posts to the month, and includes its entries', async () => {
  const { stage, loader } = await septemberRead();
  try {
    await loader.query('begin');
    await enter(loader, 'before the seal');
    const closing = sealAlone(stage); // its values are derived already
    const waiting = "select 1 from pg_locks where mode = 'ShareLock' and not granted";
    await expect.poll(() => stage.rows(waiting)).toHaveLength(1);
    await loader.query('commit');
    expect((await closing).sealed).not.toBeNull();
    const sealedEntry =
      "select 1 from ledger.entries join decide.seal_leaves using (entity_id, entry_id) where record_id = 'before the seal'";
    expect(await stage.rows(sealedEntry)).toHaveLength(1);
    expect(await faultsIn(stage)).toEqual([]);
  } finally {
    await loader.end();
  }
});

test('a transaction with a snapshot from before the seal posts nothing', async () => {
  const { stage, loader } = await septemberRead();
  try {
    await loader.query('begin isolation level repeatable read');
    await loader.query('select from books.seals');
    await close(stage, '2026-09');
    await expect(enter(loader, 'after the seal')).rejects.toThrow(
      'row-level security policy for table "entries"',
    );
    await loader.query('rollback');
    expect(await faultsIn(stage)).toEqual([]);
  } finally {
    await loader.end();
  }
});
