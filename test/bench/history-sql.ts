// The statements of history.sql for a history of some size.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/base/root.ts';

type HistorySize = {
  readonly entries: number;
  readonly entities: number;
  /** How many days the entries are spread over, up to the end of 2026. */
  readonly days?: number;
  /** How many nights compared the balances, the last one on 2026-12-31. */
  readonly nights?: number;
};

/** Fills a schema that is migrated and empty. */
export const historyOf = ({ entries, entities, days = 730, nights = 31 }: HistorySize): string =>
  readFileSync(join(packageRoot, 'test/bench/history.sql'), 'utf8')
    .replaceAll('{entries}', `${entries}`)
    .replaceAll('{entities}', `${entities}`)
    .replaceAll('{days}', `${days}`)
    .replaceAll('{nights}', `${nights}`);
