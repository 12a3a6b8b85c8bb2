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

/** A rule that names the bank's counterparty. */
export const BANK_RULE: Rule = {
  line: '2',
  class: 'bank',
  address: null,
  bank_account: null,
  operation: null,
  counterparty: 'Acme',
  nature: 'third-party',
};

export const rulesOf = (...rules: readonly Rule[]): Change => ({
  action: 'counterparties',
  description: 'rules',
  base: '0',
  file_name: 'rules.csv',
  accounts: [],
  rules,
});
