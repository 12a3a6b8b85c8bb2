// The screen of status: its line for gaps.
import { expect, onTestFinished, test } from 'vitest';
import { statusText } from '../../src/cli/status-page.ts';
import { statusOf } from '../../src/run/status.ts';
import { freshDatabase } from '../database.ts';

test.for([
  ['{}', '1 gap: nothing of main trades is proved yet'],
  [
    '{[2026-03-01,2026-03-02),[2026-03-03,2026-03-04)}',
    '1 gap: main trades 2026-03-02T00:00:00.000Z to 2026-03-03T00:00:00.000Z',
  ],
] as const)('a list proved for %s has the line "%s"', async ([covered, line]) => {
  const books = await freshDatabase();
  onTestFinished(() => books.close());
  await books.pool.query(
    "insert into land.coverage (entity_id, stream, scope, covered) values ('main', 'trades', '', $1)",
    [covered],
  );
  const text = statusText({ ...(await statusOf(books)), unfinished: [], breakRows: [] });
  expect(text.split('\n')).toContain(line);
});
