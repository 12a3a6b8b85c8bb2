// Actions of people, from a shell: Ada proposes, Grace approves, and every list shows what awaits approval.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isoOf, nowMs } from '../../src/base/time.ts';
import { environmentOf, openStage, type Stage } from '../jobs/stage.ts';
import { typed } from './played.ts';
import { complaint, type Env, folder } from './tieout.ts';

let stage: Stage;
let env: Env;

beforeAll(async () => {
  stage = await openStage(
    {
      seed: 4,
      days: 8,
      perDay: 10,
      entities: 1,
      until: '2026-10-03T00:00:00Z',
      defects: ['unknown-class', 'unlisted-movement'],
    },
    afterAll,
  );
  env = environmentOf(stage);
  expect((await stage.night()).exitCode).toBe(1);
  writeFileSync(join(folder, 'mail.eml'), 'abc');
});

const json = async (...args: string[]) => {
  const { exitCode, stdout, stderr } = await typed([...args, '--json'], env);
  expect([exitCode, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
};

const text = async (...args: string[]) => {
  const { exitCode, stdout, stderr } = await typed(args, env);
  expect([exitCode, stderr]).toEqual([0, '']);
  return stdout;
};

const ADA = ['--by', 'Ada', '--reason', 'a mail of the platform'];
const MAIL = ['--evidence', 'mail.eml'];

test('a reject is settled and a movement entered, each approved by another person: the next night is clean', async () => {
  expect(await text('approve')).toBe('nothing awaits approval\n');
  const [reject] = await json('rejects', 'list');
  const breaks = await json('breaks', 'list');
  const breakIn = (currency: string) =>
    breaks.find((found: { currency: string }) => found.currency === currency);
  const account = breakIn('BTC').subject.split(' ')[0];
  const lost = `equity:external:platform <- ${account} 0.01234567 BTC`;
  const settled = await json(
    'rejects',
    'settle',
    reject.stream,
    reject.record_id,
    '--leg',
    lost,
    ...ADA,
    ...MAIL,
  );
  expect(settled).toMatchObject({
    exit_code: 0,
    is_new: true,
    verdict: 'waiting',
    prepared_by: 'Ada',
    evidence_name: 'mail.eml',
    content: { action: 'settle', legs: [['equity:external:platform', account, 'BTC', '0.01234567']] },
    cautions: [],
  });
  const gift = ['--leg', 'assets:trading <- equity:external:platform 250.5 USDC', '--at', '2026-09-29'];
  const adjusted = await text('adjust', ...gift, ...ADA, ...MAIL);
  const id = /^proposal ([0-9a-f]{12}) \(adjust\) of main by Ada awaits approval$/m.exec(adjusted)?.[1] ?? '';
  expect(adjusted).toContain('    assets:trading <- equity:external:platform  250.5 USDC\n');
  expect(await text('adjust', ...gift, ...ADA, ...MAIL)).toContain(
    'was already proposed and awaits approval',
  );

  const waiting = await text('approve');
  expect([waiting.includes(id), waiting.includes(settled.proposal_id)]).toEqual([true, true]);
  const own = await typed(['approve', id, '--by', 'ada'], env);
  expect([own.exitCode, complaint(own)]).toEqual([
    64,
    [
      `tieout: ada prepared proposal ${id}: another person approves or refuses it (npx tieout approve ${id} --by NAME)`,
    ],
  ]);
  for (const one of [id, settled.proposal_id])
    expect(await text('approve', one, '--by', 'Grace')).toMatch(
      /approved by Grace: entry \S+ counts in 2026-/,
    );
  expect(await json('approve')).toEqual({ proposals: [], seals: [] });
  expect((await stage.night()).summary).toMatch(/0 open breaks, 0 rejects/);
  expect((await json('rejects', 'list'))[0]).toMatchObject({ decision: 'settled', decided_by: 'Ada' });
  expect(await json('breaks', 'list')).toEqual([]);
  expect(await json('breaks', 'list', '--all')).toHaveLength(2);
});

test('a month closed by one person awaits approval by another', async () => {
  await text('close', '2026-09', '--by', 'Ada');
  expect((await json('approve')).seals).toMatchObject([{ period: '2026-09', prepared_by: 'Ada' }]);
  const own = await typed(['approve', '2026-09', '--by', 'Ada'], env);
  expect([own.exitCode, complaint(own)[0]]).toEqual([
    64,
    expect.stringContaining('another person approves it'),
  ]);
  await text('approve', '2026-09', '--by', 'Grace');
  expect(await text('approve')).toBe('nothing awaits approval\n');
});

/** Prepared as typed, and approved by another person; returns the proposal as JSON. */
const approved = async (by: string, ...args: string[]) => {
  const proposal = await json(...args);
  await text('approve', proposal.proposal_id, '--by', by);
  return proposal;
};

test('an entry is reversed, a proposal refused, a reject dismissed and a break waived', async () => {
  const manual = 'select entry_id from manual_entries where action = ';
  const [{ entry_id }] = await json('query', `${manual}'settle'`);
  const undo = await json('adjust', '--reverse', entry_id, ...ADA);
  expect(undo.content.reverses).toBe(entry_id);
  expect(
    await text('approve', undo.proposal_id, '--by', 'Grace', '--refuse', '--reason', 'it is right'),
  ).toContain('refused by Grace: it is right');
  const again = await json('adjust', '--reverse', entry_id, '--by', 'Ada', '--reason', 'it is not');
  await text('approve', again.proposal_id, '--by', 'Grace');
  expect((await typed(['reconcile'], env)).exitCode).toBe(1);
  const [reject] = await json('rejects', 'list');
  await approved('Grace', 'rejects', 'dismiss', reject.stream, reject.record_id, ...ADA);
  const [broken] = await json('breaks', 'list');
  const month = isoOf(nowMs()).slice(0, 7); // the month of the comparison that no longer counts it
  const waiver = await json('breaks', 'waive', broken.break_id, '--period', month, ...ADA);
  expect(await text('approve')).toMatch(
    /^ {2}\w{12} {2}waiver of break \S+ \(assets:pocket:\S+ BTC, -0\.01234567 BTC\) for [\d-]+, main\n {4}prepared by Ada: a mail/,
  );
  const alone = await typed(['approve', waiver.proposal_id, '--by', 'Ada'], env);
  expect(complaint(alone)[0]).toContain('another person approves or refuses it');
  expect((await typed(['reconcile'], env)).exitCode).toBe(1);
  await text('approve', waiver.proposal_id, '--by', 'Grace');
  const closed = await typed(['breaks', 'waive', broken.break_id, '--period', '2026-09', ...ADA], env);
  expect([closed.exitCode, complaint(closed)[0]]).toEqual([
    64,
    expect.stringContaining('2026-09 of main is closed'),
  ]);
  expect((await typed(['reconcile'], env)).exitCode).toBe(0);
});

test('profiles are set from a file or one by one, and listed with the person who set them', async () => {
  const head =
    'entity_id,legal_name,tax_id,taxpayer,owner,currency,timezone,cost_method,fiscal_year_start,lot_rules';
  writeFileSync(join(folder, 'entities.csv'), `${head}\nmain,Acme SL,B123,,own,EUR,UTC,fifo,1,\n`);
  await approved('Grace', 'entities', 'import', 'entities.csv', '--by', 'Ada');
  expect(await text('entities', 'import', 'entities.csv', '--by', 'Ada')).toBe(
    'no profile differs: nothing was proposed\n',
  );
  const set = ['entities', 'set', 'main', '--tax-id', '', '--residence', 'ES', '--by', 'Grace'];
  expect(await approved('Ada', ...set)).toMatchObject({ action: 'profiles', verdict: 'waiting' });
  expect(await json('entities', 'list')).toMatchObject([
    {
      entity_id: 'main',
      legal_name: 'Acme SL',
      tax_id: null,
      taxpayer: 'main',
      residence: 'ES',
      cost_method: 'fifo',
      version: 2,
      set_by: 'Grace',
      is_read: true,
    },
  ]);
  expect(await text('entities', 'list')).toMatch(
    /main +Acme SL +main +own +EUR +UTC +1 +fifo +ES +yes +Grace \(version 2/,
  );
});

test('a chart of accounts is printed, changed, approved and used from the next open year', async () => {
  const lines = await text('chart', 'show', 'pgc');
  writeFileSync(join(folder, 'chart.csv'), lines.replace('2071', '3000'));
  writeFileSync(join(folder, 'classes.csv'), 'currency,class\nUSDC,coin\n');
  const { proposal_id, content } = await json(
    ...['chart', 'import', 'chart.csv', '--classes', 'classes.csv', '--by', 'Ada'],
  );
  expect(content.from_month).toBe('2027-01'); // a month of 2026 is closed
  await text('approve', proposal_id, '--by', 'Grace');
  expect(await text('chart', 'list')).toMatch(/^ *1 +chart\.csv +all entities +2027-01 +42 +Ada$/m);
  expect(await text('chart', 'show', '1')).toBe(lines.replace('2071', '3000'));
  const accounts = await json('chart', 'accounts', '--entity', 'main');
  const codeOf = (currency: string) =>
    accounts.find(
      (row: Record<string, string>) => row.account === 'assets:trading' && row.currency === currency,
    );
  expect(codeOf('BTC')).toMatchObject({ asset_class: 'coin', code: '3000' });
  expect(codeOf('USDC')).toMatchObject({ asset_class: 'coin', code: '3000' });
  expect(codeOf('EUR')).toMatchObject({ asset_class: 'fiat', code: '5721' });
});

test('counterparties are listed with unknown ones first, until a rule names them', async () => {
  const [first] = await json('counterparties', 'list');
  expect(first).toMatchObject({ counterparty_type: 'unknown', counterparty: null });
  const rules =
    'class,address,bank_account,operation,counterparty,counterparty_type\nbank,,ES9121000418450200051332,,Acme bank,own\n';
  writeFileSync(join(folder, 'rules.csv'), rules);
  const { proposal_id, content } = await json('counterparties', 'import', 'rules.csv', '--by', 'Ada');
  expect(JSON.stringify(content)).not.toContain('ES9121000418450200051332');
  expect(await text('approve', proposal_id, '--by', 'Grace')).toContain(
    '1 rule of rules.csv for counterparties took effect; main 2026-09: closed, and valued as before until it is reopened\n',
  );
  const rows = await json('counterparties', 'list', '--entity', 'main');
  expect(rows.filter(({ account }: { account: string }) => account === 'equity:external:bank')).toMatchObject(
    ['EUR', 'GBP', 'USD'].map((currency) => ({
      counterparty_type: 'own',
      counterparty: 'Acme bank',
      operation: null,
      currency,
      value: expect.stringMatching(/^\d+\.\d\d$/),
    })),
  );
  expect(await text('counterparties', 'rules')).toMatch(
    /2 +bank +ES91…1332 +Acme bank +own +Ada \(version 1\)/,
  );
});
