// Changes for tests: an import of lots, and counterparty rules.
import type { Change } from '../../src/approvals/approvals.ts';

export const lotsOf = (fileName: string): Change => ({
  action: 'lots',
  description: 'lots',
  file_name: fileName,
  file_sha256: 'a'.repeat(64),
  lots: [['BTC', '1', '9000', 'EUR', '2020-03-01', '2']],
});

type Rule = Extract<Change, { action: 'counterparties' }>['rules'][number];

export const rulesOf = (...rules: readonly Rule[]): Change => ({
  action: 'counterparties',
  description: 'rules',
  base: '0',
  file_name: 'rules.csv',
  accounts: [],
  rules,
});
