// The fee of an own transfer of which less arrived than was sent: which transfer an entry is about, and when it cannot be entered.
import { expect, test } from 'vitest';
import { adjustment } from '../../src/approvals/contents.ts';
import { readLeg } from '../../src/approvals/legs.ts';
import { notToCharge, withTransfer } from '../../src/approvals/transfer-fees.ts';
import { booked, books, chargedBy, paired, twoEntities, withBooks } from '../valuation/month-stand.ts';

withBooks(twoEntities);

/** A transfer of main to a, of which 0.01 did not arrive; the fixture pairs all of them at one time. */
const short = async (name: string, missing = '0.49') => {
  const sent = ['equity:external:person <- assets:trading 0.5 BTC'];
  const out = await booked({ day: '2026-01-20', name: `${name} sent` }, sent);
  const received = [`assets:trading <- equity:external:person ${missing} BTC`];
  const into = await booked({ day: '2026-01-21', name: `${name} received`, entity: 'a' }, received);
  await paired(out, into, ['0.5', missing]);
  await books.pool.query(
    `update reconcile.own_transfers set from_record_id = $2, to_record_id = $3, from_at = '2026-01-20', to_at = '2026-01-21'
     where from_entry_id = $1`,
    [out.id, out.recordId, into.recordId],
  );
  return { out, into };
};

const FEE = 'expenses:fees:network <- equity:external:person 0.01 BTC';
const about = async (entity: string, record?: string, text = FEE, instant = '2026-01-25T00:00:00.000Z') => {
  const adjusted = adjustment(instant, [readLeg(text)]);
  const content = await withTransfer(books.db, { entity, content: adjusted }, record);
  const isAbout = content.record_id !== undefined;
  const description = `fee of own transfer ${content.stream} ${content.record_id}`;
  expect(content.description).toBe(isAbout ? description : 'adjustment');
  const obstacle = await notToCharge(books.db, { entity, content });
  return [content.stream, content.record_id, obstacle].filter(Boolean).join(' ');
};

test('a fee is about the only transfer that lacks as much, by the own record of its entity', async () => {
  expect(await about('main')).toBe('');
  const { into } = await short('first');
  expect(await about('main')).toBe('trades first sent');
  expect(await about('a')).toBe('trades first received');
  expect(await about('a', undefined, FEE.replace('0.01', '0.02'))).toBe('');
  expect(await about('a', undefined, FEE.replace('BTC', 'ETH'))).toBe('');
  expect(await about('a', undefined, FEE.replace('person', 'bank'))).toBe('');
  expect(await about('a', undefined, FEE, '2026-01-20T23:00:00.000Z')).toBe('');
  await chargedBy(into, '2026-01-25', '0.006');
  expect(await about('a')).toBe('');
  expect(await about('a', undefined, FEE.replace('0.01', '0.004'))).toBe('trades first received');
});

test('of several transfers that lack as much one must be named', async () => {
  await short('first');
  await short('second', '0.4');
  await expect(about('a')).rejects.toThrow(
    '2 own transfers lack as much BTC (first received (0.01), second received (0.1)): name one with --transfer',
  );
  expect(await about('a', 'second received')).toBe('trades second received');
});

test('what is named must lack as much, by the time of the entry', async () => {
  await short('first');
  expect(await about('a', 'first received', FEE.replace('0.01', '0.02'))).toBe(
    'trades first received of transfer first received 0.01 BTC did not arrive, and 0.02 BTC are entered',
  );
  expect(await about('a', 'first received', FEE, '2026-01-20T23:00:00.000Z')).toBe(
    'trades first received transfer first received arrived at 2026-01-21T00:00:00.000Z: use that date or a later one for its fee',
  );
  await expect(about('a', 'first sent')).rejects.toThrow('first sent is no record of an own transfer');
  await expect(about('a', 'first received', 'assets:trading <- assets:earn 1 BTC')).rejects.toThrow(
    '--transfer needs one leg',
  );
});
