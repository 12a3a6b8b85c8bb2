// restore recomputes the books: a dump of altered ones, whose digests are right, is restored and named.
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { dumpFile } from '../../src/backup/backup.ts';
import { tieout } from '../cli/tieout.ts';
import { emptyDatabase } from '../database.ts';
import { openStageAfterNight } from '../jobs/stage.ts';
import { newFolder } from '../room.ts';

const FIRST_LEG = '(select entity_id, entry_id, leg from ledger.transfers order by 1, 2, 3 limit 1)';

test.each([
  [
    'a row of the ledger is missing',
    `delete from ledger.transfers where (entity_id, entry_id, leg) = ${FIRST_LEG}`,
  ],
  [
    'an amount is another',
    `update ledger.transfers set amount = amount + 1 where (entity_id, entry_id, leg) = ${FIRST_LEG}`,
  ],
])('a dump in which %s', async (_, alter) => {
  const { database } = await openStageAfterNight();
  await database.pool.query(alter);
  const dump = join(newFolder(), 'altered.gz');
  await dumpFile(database.url, dump, {});
  const empty = await emptyDatabase();
  onTestFinished(() => empty.close());
  const { exitCode, stdout } = await tieout(['restore', dump], { DATABASE_URL: empty.url });
  expect([exitCode, stdout]).toEqual([
    1,
    expect.stringMatching(/^restored .*\na proof does not hold, in the dump as in these books: .+\n$/),
  ]);
});
