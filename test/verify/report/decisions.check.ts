// verify report: an export of before people decided something is told from a falsified one.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assignOne, explainOne, resolveOne } from '../../../src/actions/breaks.ts';
import { importLots, switchDuties } from '../../../src/actions/changes.ts';
import { proposeChart } from '../../../src/actions/charts.ts';
import { bankImport } from '../../../src/actions/external.ts';
import { proposeLabels } from '../../../src/actions/labels.ts';
import { approveProposal, type SubmittedProposal } from '../../../src/actions/proposals.ts';
import { readExternalLots, readLabels } from '../../../src/approvals/approvals.ts';
import { sha256 } from '../../../src/base/json.ts';
import { figureSettings } from '../../../src/config/config.ts';
import { exportReports } from '../../../src/export/export.ts';
import type { Work } from '../../../src/run/work.ts';
import type { Proof } from '../../../src/verify/proof.ts';
import { decidedProofs, decisionsSince } from '../../../src/verify/report/decisions.ts';
import { lastRunsOf } from '../../../src/verify/report/moment.ts';
import { AUTUMN, as } from '../../close/month.ts';
import { firstNight, type History, openStageAfter, type Stage } from '../../jobs/stage.ts';
import { newFolder } from '../../room.ts';
import { exported, forged, proofsOf } from './month-folder.ts';
import { manifestOf } from './stated.ts';

type ProofsIn = (folder: string) => Promise<Proof[]>;

/** What verify report answers for folders like this one after the decisions, for which the books write it once. */
const proofsAfter = async (stage: Stage, dir: string): Promise<ProofsIn> => {
  const { pool } = stage.database;
  const manifest = manifestOf(dir);
  const [lastRun = ''] = await lastRunsOf(pool, dir, manifest);
  const outDir = join(newFolder(), 'again');
  const { period, timezone, currency, entities } = manifest;
  const chosen = { period, timezone, currency, entities, settings: figureSettings(stage.settings()) };
  const written = await exportReports({ pool, ...chosen, outDir, lastRun });
  const decisions = await decisionsSince(pool, manifest, lastRun);
  return (folder) => decidedProofs(folder, written, { manifest: manifestOf(folder), decisions });
};

const faultsAfter = async (
  stage: Stage,
  dir: string,
): Promise<(folder: string) => Promise<string | null>> => {
  const proofsIn = await proofsAfter(stage, dir);
  return async (folder) => (await proofsIn(folder))[0]?.first ?? null;
};

/** Statuses of other reports, which no work on a break changes. */
const STATUSES = [
  ['tie_outs.csv', ',break,', ',tied,'],
  ['closing_balances.csv', ',break,', ',tied,'],
  ['reconciliation.csv', ',break,', ',tied,'],
] as const;

test('an export of before a break was marked as resolved is told from a falsified one', async () => {
  const world = { ...AUTUMN, entities: 1, defects: ['unknown-class'] as const };
  const { stage } = await openStageAfter(firstNight(world));
  const [dir = ''] = await exported(stage, [['csv', 'machine']]);
  const [broken] = await stage.rows("select break_id as id from books.breaks where status = 'open'");
  const step = { id: broken?.id ?? '', by: 'Ada', reason: 'settled by mail' };
  await as(stage, (work) => resolveOne(work, step));
  const proofsIn = await proofsAfter(stage, dir);
  const [apart, rest] = await proofsIn(dir);
  expect(apart?.first).toBe(null);
  expect(rest?.first).toMatch(
    /people decided break \w+ \(resolved\) by Ada at .*Z, so this may be right: breaks\.csv, line 2.*export again/,
  );
  const digit = forged(dir, 'tie_outs.csv', (text) => text.replace(/(\d),0,tied/, '$11,0,tied'));
  const [other] = await proofsIn(digit);
  expect(other?.first).toMatch(/^tie_outs\.csv, line \d+, column /);
});

test('an export holds while people work on a break, and not with another difference, another status or another file', async () => {
  const world = { ...AUTUMN, entities: 1, defects: ['unknown-class', 'unlisted-movement'] as const };
  const { stage } = await openStageAfter(firstNight(world));
  const written = await exported(stage, [
    ['csv', 'machine'],
    ['xlsx', 'excel-de'],
  ]);
  const [broken, other] = await stage.rows(
    "select break_id as id from books.breaks where status = 'open' order by check_name",
  );
  const step = { id: broken?.id ?? '', by: 'Ada', reason: 'asked the platform' };
  await as(stage, (work) => assignOne(work, { ...step, to: 'Grace' }));
  await as(stage, (work) => explainOne(work, { ...step, records: [] }));
  const [dir = '', workbook = ''] = written;
  const [proof, rest] = await proofsOf(stage, workbook);
  expect(proof?.first).toBe(null);
  expect(proof?.proof).toContain('without what people decided since');
  expect(rest?.unexamined).toMatch(
    /people decided break \w+ \(explained\) by Ada at .*Z, break \w+ \(assigned\) by Ada at .*Z; export again/,
  );
  const firstIn = await faultsAfter(stage, dir);
  expect(await firstIn(dir)).toBe(null);
  const digit = forged(dir, 'breaks.csv', (text) => text.replace(/(\.\d+),open,/, '$11,open,'));
  expect(await firstIn(digit)).toMatch(/^breaks\.csv, line \d+, column difference/);
  const ofOther = forged(dir, 'breaks.csv', (text) =>
    text.replace(new RegExp(`(${other?.id},.*),open,`), '$1,waived,'),
  );
  expect(await firstIn(ofOther)).toMatch(/^breaks\.csv, line \d+, column status: expected "open"/);
  for (const [file, from, to] of STATUSES)
    expect(await firstIn(forged(dir, file, (text) => text.replace(from, to)))).toMatch(
      new RegExp(`^${file}, line \\d+, column status`),
    );
  const elsewhere = forged(dir, 'tie_outs.csv', (text) => text.replace(/(\d),0,tied/, '$11,0,tied'));
  expect(await firstIn(elsewhere)).toMatch(/^tie_outs\.csv, line \d+, column /);
});

type Decide = (work: Work, folder: string) => Promise<SubmittedProposal | null>;

/** A file of a person in a folder. */
const written = (folder: string, name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

/** What people decide, and what an honest export of before then answers: null if it holds, or its first fault. */
const DECISIONS: readonly (readonly [name: string, answer: RegExp | null, decide: Decide])[] = [
  [
    'proposal \\w+ \\(labels\\) by Grace',
    null,
    async (work, folder) => {
      const path = written(folder, 'labels.csv', `kind,id,label\nentity,${work.config.entity},Head office\n`);
      return proposeLabels(work, { lines: readLabels(path), path, by: 'Ada' });
    },
  ],
  [
    'duties of one person by Ada',
    null,
    async (work) => {
      await switchDuties(work, { isOnePerson: true, by: 'Ada', reason: 'alone' });
      return null;
    },
  ],
  [
    'proposal \\w+ \\(chart\\) by Grace',
    /trial_balance\.csv, line 2, column account_code: expected/,
    (work) =>
      proposeChart(work, { lines: null, chart: 'pgc', classes: null, entity: null, from: null, by: 'Ada' }),
  ],
  [
    'proposal \\w+ \\(lots\\) by Grace',
    /open_lots\.csv, line \d+/,
    async (work, folder) => {
      const text = 'currency,units,cost,cost_currency,acquired_on\nBTC,1.5,1000,EUR,2021-01-01\n';
      const file = readExternalLots(written(folder, 'lots.csv', text));
      const evidence = { name: 'invoice.pdf', sha256: sha256('an invoice') };
      return importLots(work, file, { by: 'Ada', reason: 'bought in 2021', evidence });
    },
  ],
  [
    'statement 1 of Main by Ada',
    /(breaks|checks|reconciliation)\.csv, line \d+/,
    async (work) => {
      const bytes = Buffer.from('date,amount,currency,balance\n2026-10-01,100.00,EUR,100.00\n');
      const file = { name: 'bank.csv', bytes };
      const signed = {
        by: 'Ada',
        at: new Date().toISOString(),
        counterparties: [],
        format: null,
        mapping: null,
      };
      const { entity } = work.config;
      await bankImport(work, { entity, account: 'Main', file, ...signed });
      return null;
    },
  ],
];

/** Books after a night, and their October in a folder: those of each test are a copy, whose export would have the same bytes. */
const EXPORTED: History<string> = {
  name: 'a month in files',
  options: {},
  play: async (stage) => (await exported(stage, [['csv', 'machine']]))[0] ?? '',
  after: firstNight(),
};

test.each(DECISIONS)('an export of before %s is told from a falsified one', async (name, answer, decide) => {
  const { stage, outcome: dir } = await openStageAfter(EXPORTED);
  await as(stage, async (work) => {
    const submitted = await decide(work, newFolder());
    const id = submitted?.shown?.proposal.proposal_id;
    if (id !== undefined) await approveProposal(work, { id, by: 'Grace' });
  });
  const proofsIn = await proofsAfter(stage, dir);
  const [apart, rest] = await proofsIn(dir);
  expect(apart?.first).toBe(null);
  expect(rest?.unexamined ?? rest?.first).toMatch(new RegExp(`people decided ${name} at 2.*export again`));
  if (answer === null) expect(rest?.first).toBe(null);
  else expect(rest?.first).toMatch(answer);
  const digit = forged(dir, 'tie_outs.csv', (text) => text.replace(/(\d),0,tied/, '$11,0,tied'));
  const [other] = await proofsIn(digit);
  expect(other?.first).toMatch(/^tie_outs\.csv, line \d+, column /);
});
