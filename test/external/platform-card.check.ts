// Payments by the platform's own card leave a pocket and reach no bank of ours: no statement is expected to show them.
import { expect, onTestFinished, test } from 'vitest';
import { loadSql } from '../../src/database/sql.ts';
import { openNights, wallet } from '../reconcile/stage.ts';
import { camtOf, paymentsOf, recordOf, statedOf, statementOf } from './bank.ts';
import { commandsOn, MAIN } from './commands.ts';

const CARD = '11111111-1111-4111-8111-111111111111';

test('what the platform pays by its own card is of another account, and no line is taken for it', async () => {
  const nights = await openNights();
  onTestFinished(() => nights.close());
  const payments = paymentsOf(1, 6, ['bank']);
  const spent = {
    ...recordOf(payments[2] ?? expect.fail()),
    id: CARD,
    type: 'withdrawal',
    subtype: 'purchase-bcard',
    origin: { class: 'pocket', pocketId: 'p1', currency: 'EUR', amount: '12.5' },
    destination: { class: 'card', currency: 'EUR', amount: '12.5' },
    concept: '',
  };
  await nights.night({
    records: { 'wallet-transactions': [...payments.map(recordOf), spent] },
    after: { pocket: [wallet('p1', 'EUR', '0')] },
  });
  const lines = payments.map(statedOf).sort((a, b) => (a.bookedOn < b.bookedOn ? -1 : 1));
  const alike = { ...statedOf({ ...(payments[2] ?? expect.fail()), units: 1_250 }, 0), text: 'Compra' };
  const { importText } = commandsOn(() => nights);
  await importText(camtOf(statementOf([...lines, alike], { number: 1 })), ...MAIN);
  const { text, values } = loadSql('reports/reconciliation.sql', {
    to: '2026-03-13T00:00:00Z',
    entity: 'main',
  });
  const items = (await nights.rows(text, values)).filter(({ account }) =>
    String(account).startsWith('equity:'),
  );
  expect(items.map(({ item, amount, status }) => `${item} ${amount} ${status}`)).toEqual([
    'stated 18405.28 null',
    'only on the statement -12.5 break',
    'of other accounts 12.5 null',
    'booked -18392.78 null',
    'booked on cards -12.5 null',
    'left 0 break',
  ]);
});
