// A proposal as its approver reads it: everything that the approval will do.
import { expect, test } from 'vitest';
import { linesOf } from '../../src/approvals/approvals.ts';
import { proposalText } from '../../src/cli/action.ts';

type View = Parameters<typeof proposalText>[0];

const shown = (
  content: View['content'],
  {
    verdict = 'approved',
    obstacle = null,
  }: { verdict?: 'approved' | 'waiting'; obstacle?: string | null } = {},
): string[] => {
  const proposal = {
    entity_id: 'main',
    proposal_id: '5d1f0c9b72ae',
    action: content.action,
    content: '',
    content_sha256: null,
    reason: 'from 2019',
    evidence_name: null,
    evidence_sha256: null,
    prepared_by: 'Ada',
    prepared_at: '2026-11-01T00:00:00Z',
    verdict,
    approved_by: 'Grace',
    verdict_reason: null,
    reversed_by: null,
  } as const;
  return proposalText({ proposal, content, cautions: [], obstacle }, linesOf)
    .split('\n')
    .map((line) => line.trim());
};

const entry = { effective_at: '2026-10-01T00:00:00Z' } as const;

test('an opening shows the cost of each lot and the day on which it was acquired', () => {
  const place = { account: 'assets:trading', cost_currency: 'EUR' };
  const lots = [
    { ...place, currency: 'BTC', units: '1.5', cost: '9000.25', acquired_on: '2020-03-01' },
    { ...place, currency: 'EUR', units: '20', cost: null, cost_currency: null, acquired_on: null },
  ];
  const legs = lots.map(
    ({ currency, units }) => ['assets:trading', 'equity:opening', currency, units] as const,
  );
  expect(
    shown({ action: 'open', ...entry, description: 'opening balances', legs, lots }).slice(1, 3),
  ).toEqual([
    'assets:trading <- equity:opening  1.5 BTC, cost 9000.25 EUR, acquired on 2020-03-01',
    'assets:trading <- equity:opening  20 EUR',
  ]);
});

test('a profile shows the fields that it clears, because it replaces the whole profile', () => {
  const profile = {
    legal_name: 'Acme SL',
    tax_id: null,
    taxpayer: null,
    owner: 'own',
    currency: 'EUR',
    timezone: 'UTC',
    cost_method: null,
    fiscal_year_start: '1',
    lot_rules: null,
    residence: 'ES',
  };
  const wanted = [{ entity: 'main', base: '1', profile }];
  expect(shown({ action: 'profiles', description: 'profiles of main', wanted })[1]).toBe(
    'main, legal_name Acme SL, tax_id empty, taxpayer empty, owner own, currency EUR, timezone UTC, cost_method empty, fiscal_year_start 1, lot_rules empty, residence ES',
  );
});

test('a reversal shows which entry it reverses', () => {
  const legs = [['equity:external:platform', 'assets:trading', 'EUR', '5']] as const;
  const about = {
    stream: 'manual',
    record_id: '44a1b3cb68de',
    reverses: '01a0618f-a900-8b4f-9daa-85721cc5bf56',
  };
  const lines = shown({ action: 'reverse', ...entry, description: 'reversal of adjustment', legs, ...about });
  expect(lines.slice(1, 3)).toEqual([
    'equity:external:platform <- assets:trading  5 EUR',
    'reverses entry 01a0618f-a900-8b4f-9daa-85721cc5bf56',
  ]);
});

test('one that waits says how to approve it; one that can only be refused says why, and how to refuse it', () => {
  const reversal = { action: 'reverse', ...entry, description: 'reversal', legs: [] } as const;
  expect(shown(reversal, { verdict: 'waiting' }).at(-1)).toMatch(/^a second person approves it with/);
  expect(shown(reversal, { verdict: 'waiting', obstacle: 'entry 1 was reversed by 2' }).slice(-2)).toEqual([
    'CAUTION it cannot be approved, only refused: entry 1 was reversed by 2',
    'a second person refuses it with: npx tieout approve 5d1f0c9b72ae --refuse --reason TEXT --by NAME',
  ]);
});
