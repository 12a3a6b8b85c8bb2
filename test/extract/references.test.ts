// The names of records that move no money: each is known by what it was requested by, if its answer names nothing.
import { expect, test } from 'vitest';
import { assetWalk, pocketReferenceWalk, tellerOrderWalk } from '../../src/extract/references.ts';
import type { RecordWalk, Source } from '../../src/extract/source.ts';

/** The rows of a walk over the page that the contract reads in this body. */
const rowsOf = async (body: unknown, walk: (source: Source) => RecordWalk) => {
  const call = async (operation: { page: { parse: (body: unknown) => unknown } }) => ({
    page: operation.page.parse(body),
    receipt: {},
  });
  const rows = [];
  const source = { gateway: { call, nowMs: () => 0 } } as unknown as Source;
  const steps = walk(source);
  for (let step = await steps.next({ fresh: 0 }); !step.done; step = await steps.next({ fresh: 0 }))
    rows.push(...(step.value.page?.rows ?? []));
  return rows;
};

const NAMELESS = [{}, { orderId: null, pocketId: null }, { orderId: '', pocketId: '' }];

test.each(NAMELESS)('%j names nothing: the record has the name of its request', async (names) => {
  const order = await rowsOf({ ...names, status: 'pending' }, (source) => tellerOrderWalk(source, 'o-1'));
  expect(order).toEqual([expect.objectContaining({ orderId: 'o-1', status: 'pending' })]);
  const reference = await rowsOf({ ...names, reference: 'R' }, (source) =>
    pocketReferenceWalk(source, 'p-1'),
  );
  expect(reference).toEqual([expect.objectContaining({ pocketId: 'p-1', reference: 'R' })]);
});

test('an asset without a symbol of its own is known by the one that the list has it under', async () => {
  const assets = { BTC: { symbol: null, name: 'Bitcoin' }, ETH: { name: 'Ether' }, SOL: { symbol: 'SOL' } };
  expect(await rowsOf(assets, assetWalk)).toEqual([
    { symbol: 'BTC', name: 'Bitcoin' },
    { symbol: 'ETH', name: 'Ether' },
    { symbol: 'SOL' },
  ]);
});

test('what an answer names itself stays as received', async () => {
  const row = await rowsOf({ orderId: 'o-2', status: 'review' }, (source) => tellerOrderWalk(source, 'o-1'));
  expect(row).toEqual([{ orderId: 'o-2', status: 'review' }]);
});
