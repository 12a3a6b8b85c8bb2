// Lists of balances whose count is not that of their rows.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readBalances } from '../../jobs/balances.ts';
import type { Operation } from '../../src/gateway/contract/operation.ts';
import { openStage, receipt, type Stage } from '../land/stage.ts';
import { readingContext } from './reading-context.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage.close());

const pocket = { id: 'p1', currency: 'EUR', balance: '1', blockedBalance: '0' };

test.each([
  [0, 'the gateway counts 0 and lists 1: ask the platform which is right'],
  [2, 'the gateway counts 2 and lists 1: a balance may be missing'],
])('one pocket of %i', async (total, detail) => {
  const call = async ({ name, path }: Operation, { query = {} }: { query?: { offset?: number } }) => {
    const rows = name === 'pockets' && !query.offset ? [pocket] : [];
    return { page: { rows, total: name === 'pockets' ? total : 0 }, receipt: receipt(path) };
  };
  const answered = { isAny: true, refused: new Set<string>() };
  await readBalances({ ...readingContext(stage, call), answered }, 'before');
  expect(await stage.rows('select subject, detail from run.findings')).toEqual([
    { subject: 'pockets', detail },
  ]);
});
