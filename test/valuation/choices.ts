// Choices of lots for tests: files that name lots for disposals, prepared by one person and approved by another.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lotChoiceChange, readLotChoices } from '../../src/approvals/lot-choices.ts';
import { byBoth } from '../approvals/both.ts';
import { newFolder } from '../room.ts';
import { books } from './month-stand.ts';

const HEAD = 'stream,record_id,currency,lot_id,units';

/** The change that a file with these lines proposes. */
export const choiceOf = (...lines: string[]) => {
  const path = join(newFolder(), 'lots.csv');
  writeFileSync(path, [HEAD, ...lines].join('\n'));
  return lotChoiceChange(books.db, 'main', readLotChoices(path));
};

export const choose = async (...lines: string[]) => byBoth(books.db, await choiceOf(...lines));

/** The taxpayer's cost method. */
export const method = (name: string) =>
  books.pool.query(
    `insert into decide.profiles (entity_id, version, owner, cost_method, by_name, at) values ('main', 1, 'own', $1, 'Ada', now())`,
    [name],
  );
