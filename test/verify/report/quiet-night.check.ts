// verify report: a night that finds every balance as before writes no month that is over again, and its folder still holds; so does an
// export of which people work on the breaks.
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { extractOnly } from '../../../jobs/nightly.ts';
import { assignOne, explainOne, resolveOne } from '../../../src/actions/breaks.ts';
import { importLots, switchDuties } from '../../../src/actions/changes.ts';
import { proposeChart } from '../../../src/actions/charts.ts';
import { bankImport } from '../../../src/actions/external.ts';
import { proposeLabels } from '../../../src/actions/labels.ts';
import { approveProposal, type SubmittedProposal } from '../../../src/actions/proposals.ts';
import { readExternalLots, readLabels } from '../../../src/approvals/approvals.ts';
import { canonical, sha256 } from '../../../src/base/json.ts';
import { figureSettings } from '../../../src/config/config.ts';
import { exportReports } from '../../../src/export/export.ts';
import { type Work, withRun } from '../../../src/run/work.ts';
import { verifyAgainstBooks } from '../../../src/verify/report/books.ts';
import { AUTUMN, as } from '../../close/month.ts';
import { firstNight, openStage, openStageAfter, openStageAfterNight, type Stage } from '../../jobs/stage.ts';
import { newFolder } from '../../room.ts';
import { manifestOf } from './stated.ts';

/** A comparison carries the second of the gateway's clock. */
const NEXT_SECOND_MS = 1_100;

const MONTH = '2026-10';

/** What the books find in a folder. */
const proofsOf = (stage: Stage, dir: string) =>
  verifyAgainstBooks(stage.database.pool, dir, {
    manifest: manifestOf(dir),
    settings: figureSettings(stage.settings()),
  });

const faultIn = async (stage: Stage, dir: string): Promise<string | null> =>
  (await proofsOf(stage, dir))[0]?.first ?? null;

/** A copy of a folder with other text in one file, and the digest of that in its manifest, as a careful forger would leave it. */
const forged = (dir: string, file: string, change: (text: string) => string): string => {
  const copy = join(newFolder(), 'forged');
  cpSync(dir, copy, { recursive: true });
  const text = change(readFileSync(join(copy, file), 'utf8'));
  writeFileSync(join(copy, file), text);
  const manifest = JSON.parse(readFileSync(join(copy, 'manifest.json'), 'utf8'));
  for (const entry of manifest.files) if (entry.name === file) entry.sha256 = sha256(text);
  writeFileSync(join(copy, 'manifest.json'), `${JSON.stringify(JSON.parse(canonical(manifest)), null, 2)}\n`);
  return copy;
};

/** An extract alone: it reads, and compares and books nothing. */
const extracted = (stage: Stage) => {
  const config = stage.settings();
  const work = (running: Work) => extractOnly(running, config, { isFull: false });
  return withRun(config, 'extract', { tell: () => {}, work });
};

type Form = readonly [format: 'csv' | 'xlsx', profile: 'machine' | 'excel-de' | 'excel-en'];

/** The month in each of these formats: their folders. */
const exported = async (stage: Stage, formats: readonly Form[]): Promise<string[]> => {
  const { pool } = stage.database;
  const settings = figureSettings(stage.settings());
  const clock = { timezone: 'America/New_York', currency: settings.currency, settings };
  const written: string[] = [];
  for (const [format, profile] of formats) {
    const outDir = join(newFolder(), `${format}-${profile}`);
    await exportReports({ pool, period: MONTH, ...clock, format, profile, outDir });
    written.push(outDir);
  }
  return written;
};

test('an export in any format holds after a quiet night', async () => {
  const stage = await openStageAfterNight();
  const written = await exported(stage, [
    ['csv', 'excel-de'],
    ['xlsx', 'machine'],
    ['xlsx', 'excel-en'],
  ]);
  await sleep(NEXT_SECOND_MS);
  await stage.night();
  for (const dir of written) expect(await faultIn(stage, dir), dir).toBe(null);
});

test('a month holds after quiet nights, and not with another digit or another time', async () => {
  const stage = await openStage();
  await stage.nightWithFiles();
  const dir = join(stage.home, 'exports', MONTH);
  const before = readFileSync(join(dir, 'manifest.json'), 'utf8');
  for (let nights = 0; nights < 2; nights += 1) {
    await sleep(NEXT_SECOND_MS);
    await stage.nightWithFiles();
  }
  expect(readFileSync(join(dir, 'manifest.json'), 'utf8')).toBe(before);
  expect(await faultIn(stage, dir)).toBe(null);
  const digit = forged(dir, 'tie_outs.csv', (text) => text.replace(/(\d),0,tied/, '$11,0,tied'));
  expect(await faultIn(stage, digit)).toMatch(/^tie_outs\.csv, line \d+, column /);
  const reach = forged(dir, 'coverage.csv', (text) => text.replace(/,20\d\d-/, ',2025-'));
  expect(await faultIn(stage, reach)).toMatch(/^coverage\.csv, line 2, column covered_to/);
});

test('an export after an extract alone holds once nights have followed, and not with another coverage', async () => {
  const stage = await openStageAfterNight();
  await sleep(NEXT_SECOND_MS);
  await extracted(stage);
  const written = await exported(stage, [
    ['csv', 'machine'],
    ['xlsx', 'excel-de'],
  ]);
  await sleep(NEXT_SECOND_MS);
  await stage.night();
  for (const dir of written) expect(await faultIn(stage, dir), dir).toBe(null);
  const reach = forged(written[0] ?? '', 'coverage.csv', (text) => text.replace(/,20\d\d-/, ',2025-'));
  expect(await faultIn(stage, reach)).toMatch(/^coverage\.csv, line 2, column covered_to/);
});

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
  const [apart, rest] = await proofsOf(stage, dir);
  expect(apart?.first).toBe(null);
  expect(rest?.first).toMatch(
    /people decided break \w+ \(resolved\) by Ada at .*Z, so this may be right: breaks\.csv, line 2.*export again/,
  );
  const digit = forged(dir, 'tie_outs.csv', (text) => text.replace(/(\d),0,tied/, '$11,0,tied'));
  expect(await faultIn(stage, digit)).toMatch(/^tie_outs\.csv, line \d+, column /);
});

test('an export holds while people work on a break, and not with another difference, another status or another file', async () => {
  const world = { ...AUTUMN, entities: 1, defects: ['unknown-class', 'unlisted-movement'] as const };
  const { stage } = await openStageAfter(firstNight(world));
  const written = await exported(stage, [
    ['csv', 'machine'],
    ['csv', 'excel-de'],
    ['xlsx', 'excel-en'],
  ]);
  const [broken, other] = await stage.rows(
    "select break_id as id from books.breaks where status = 'open' order by check_name",
  );
  const step = { id: broken?.id ?? '', by: 'Ada', reason: 'asked the platform' };
  await as(stage, (work) => assignOne(work, { ...step, to: 'Grace' }));
  await as(stage, (work) => explainOne(work, { ...step, records: [] }));
  for (const dir of written) expect(await faultIn(stage, dir), dir).toBe(null);
  const [dir = ''] = written;
  const [proof, rest] = await proofsOf(stage, dir);
  expect(proof?.proof).toContain('without what people decided since');
  expect(rest?.unexamined).toMatch(
    /people decided break \w+ \(explained\) by Ada at .*Z, break \w+ \(assigned\) by Ada at .*Z; export again/,
  );
  const digit = forged(dir, 'breaks.csv', (text) => text.replace(/(\.\d+),open,/, '$11,open,'));
  expect(await faultIn(stage, digit)).toMatch(/^breaks\.csv, line \d+, column difference/);
  const ofOther = forged(dir, 'breaks.csv', (text) =>
    text.replace(new RegExp(`(${other?.id},.*),open,`), '$1,waived,'),
  );
  expect(await faultIn(stage, ofOther)).toMatch(/^breaks\.csv, line \d+, column status: expected "open"/);
  for (const [file, from, to] of STATUSES)
    expect(
      await faultIn(
        stage,
        forged(dir, file, (text) => text.replace(from, to)),
      ),
    ).toMatch(new RegExp(`^${file}, line \\d+, column status`));
  const elsewhere = forged(dir, 'tie_outs.csv', (text) => text.replace(/(\d),0,tied/, '$11,0,tied'));
  expect(await faultIn(stage, elsewhere)).toMatch(/^tie_outs\.csv, line \d+, column /);
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

test.each(DECISIONS)('an export of before %s is told from a falsified one', async (name, answer, decide) => {
  const stage = await openStageAfterNight();
  const [dir = ''] = await exported(stage, [['csv', 'machine']]);
  await as(stage, async (work) => {
    const submitted = await decide(work, newFolder());
    const id = submitted?.shown?.proposal.proposal_id;
    if (id !== undefined) await approveProposal(work, { id, by: 'Grace' });
  });
  const [apart, rest] = await proofsOf(stage, dir);
  expect(apart?.first).toBe(null);
  expect(rest?.unexamined ?? rest?.first).toMatch(new RegExp(`people decided ${name} at 2.*export again`));
  if (answer === null) expect(rest?.first).toBe(null);
  else expect(rest?.first).toMatch(answer);
  const digit = forged(dir, 'tie_outs.csv', (text) => text.replace(/(\d),0,tied/, '$11,0,tied'));
  expect(await faultIn(stage, digit)).toMatch(/^tie_outs\.csv, line \d+, column /);
});
