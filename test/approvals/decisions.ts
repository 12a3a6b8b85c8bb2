// One of each change that books no entry and needs no record, proposed by one person and approved by another.
import { approve, type Change, propose } from '../../src/approvals/approvals.ts';
import { BANK_RULE, chartFrom, lotsOf, profileOf, ratesOf, rulesOf, waiverOf } from './changes.ts';

type Desk = Parameters<typeof propose>[0];

/** Those that any books allow whose October is open. */
export const DECISIONS: readonly Change[] = [
  waiverOf('2026-10'),
  { ...waiverOf('2026-11'), difference: null } as Change,
  { action: 'budget', description: 'budget', base: '0', ceiling: '500.00' },
  { action: 'accept', description: 'value findings', base: '0', period: '2026-10', findings_max: '3' },
  lotsOf('a.csv'),
  {
    ...rulesOf({ ...BANK_RULE, bank_account: 'ES 1332' }),
    accounts: [['main', '2', `personal:${'a'.repeat(64)}`]],
  } as Change,
  ratesOf('2026-10-01'),
  profileOf({ legal_name: 'Acme', fiscal_year_start: '1' }),
  { ...chartFrom('2026-10'), classes: [{ currency: 'USDC', class: 'coin' }] } as Change,
  {
    action: 'labels',
    description: 'labels',
    base: '0',
    file_name: 'a.csv',
    labels: [{ kind: 'entity', id: 'main', label: 'Acme' }],
  },
];

/** Proposes and approves changes in turn. */
export const decideAll = async (desk: Desk, changes: readonly Change[]): Promise<void> => {
  const evidence = { name: 'mail.eml', sha256: 'c'.repeat(64) };
  for (const content of changes) {
    const wanted = { entity: 'main', content, reason: 'as agreed', by: 'Ada', evidence };
    const { proposal } = await propose(desk, wanted);
    await approve(desk, { id: proposal.proposal_id, entity: 'main', by: 'Grace' });
  }
};
