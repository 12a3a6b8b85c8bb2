// Changes for tests.
import { type Change, EMPTY_PROFILE, type Profile } from '../../src/approvals/approvals.ts';
import { sha256 } from '../../src/base/json.ts';

export const lotsOf = (fileName: string): Change => ({
  action: 'lots',
  description: 'lots',
  file_name: fileName,
  file_sha256: sha256(fileName),
  allows_equal: 'yes',
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
  counterparty_type: 'third-party',
};

export const rulesOf = (...rules: readonly Rule[]): Change => ({
  action: 'counterparties',
  description: 'rules',
  base: '0',
  file_name: 'rules.csv',
  accounts: [],
  rules,
});

export const waiverOf = (period: string): Change => ({
  action: 'waive',
  description: 'waiver',
  period,
  break_id: '3f9c21d07a44',
  difference: '-5',
});

/** Official rates of one day. */
export const ratesOf = (day: string): Change => ({
  action: 'rates',
  description: 'rates',
  base: '0',
  file_name: 'a.csv',
  file_sha256: 'b'.repeat(64),
  days: [`${day} USD 1.17 JPY 175.2`],
});

/** A chart from a month on, with one line for every account. */
export const chartFrom = (month: string): Change => ({
  action: 'chart',
  description: 'chart',
  base: '0',
  for_entity: null,
  chart: 'own',
  from_month: month,
  lines: [
    {
      account: '*',
      class: '',
      currency: '',
      code: '1000',
      name_en: 'All',
      name_es: 'Todo',
      name_de: 'Alles',
      statement: 'balance sheet',
      statement_class: 'assets',
    },
  ],
  classes: [],
});

/** The first profile of the main account; a field that is not here is empty. */
export const profileOf = (fields: Partial<Profile>): Change => ({
  action: 'profiles',
  description: 'profiles',
  wanted: [{ entity: 'main', base: '0', profile: { ...EMPTY_PROFILE, ...fields } }],
});
