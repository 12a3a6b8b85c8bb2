// verify report: an export of a month that goes on is compared with the books of its own moment, in every format and profile.
import assert from 'node:assert/strict';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { canonical, sha256 } from '../../../src/base/json.ts';
import { isoOf, msOf, nowMs } from '../../../src/base/time.ts';
import { figureSettings } from '../../../src/config/config.ts';
import { formatOf } from '../../../src/export/contents.ts';
import { exportReports } from '../../../src/export/export.ts';
import { verifyAgainstBooks } from '../../../src/verify/report/books.ts';
import { lastRunsOf } from '../../../src/verify/report/moment.ts';
import { changesSince, momentProof } from '../../../src/verify/report/open-month.ts';
import { verifyFolder } from '../../../src/verify/report/report.ts';
import { openStageAfterNight, type Stage } from '../../jobs/stage.ts';
import { newFolder } from '../../room.ts';
import { manifestOf } from './stated.ts';

const NEXT_SECOND_MS = 1_100;
const HOUR_MS = 3_600_000;

/** A world that ends on the third of the present month, or now: it has records of this month and of the one before. */
const NOW = isoOf(nowMs() - (nowMs() % HOUR_MS));
const CURRENT = NOW.slice(0, 'YYYY-MM'.length);
const UNTIL = [NOW, `${CURRENT}-03T00:00:00.000Z`].sort()[0] ?? NOW;
const OVER = isoOf(msOf(`${CURRENT}-01T00:00:00Z`) - 1).slice(0, 'YYYY-MM'.length);
const hoursBefore = (hours: number): string => isoOf(msOf(UNTIL) - hours * HOUR_MS);
const FORMATS = [
  ['csv', 'machine'],
  ['csv', 'excel-es'],
  ['xlsx', 'excel-de'],
  ['hledger', 'machine'],
  ['beancount', 'machine'],
] as const;

/** The faults of a folder beside the books, and what was not examined. */
const booksVerdict = async (stage: Stage, dir: string) => {
  const settings = figureSettings(stage.settings());
  const written = await verifyAgainstBooks(stage.database.pool, dir, { manifest: manifestOf(dir), settings });
  return {
    faults: written.flatMap(({ first }) => first ?? []),
    unexamined: written.flatMap(({ unexamined }) => unexamined ?? []).join(),
  };
};

/** The same, and the faults of the folder alone. */
const verdictOf = async (stage: Stage, dir: string) => ({
  alone: (await verifyFolder(dir)).proofs.flatMap(({ first }) => first ?? []),
  ...(await booksVerdict(stage, dir)),
});

/** The faults of forged copies of a folder beside the books of its moment, which are written once for all of them. */
const faultsBesideMoment = async (stage: Stage, dir: string) => {
  const { pool } = stage.database;
  const manifest = manifestOf(dir);
  const [lastRun = ''] = await lastRunsOf(pool, dir, manifest);
  const { period, timezone, currency, profile } = manifest;
  const settings = figureSettings(stage.settings());
  const outDir = join(newFolder(), 'again');
  const asOfRun = { period, timezone, currency, profile, format: formatOf(manifest), settings, lastRun };
  const written = await exportReports({ pool, ...asOfRun, outDir });
  const since = await changesSince(pool, manifest, { lastRun, now: null, asOfRun: written.manifest });
  assert(since);
  return async (copy: string) =>
    (await momentProof(copy, written, { manifest: manifestOf(copy), since })).first;
};

/** A copy with other text in one file, and its digest in the manifest, as a careful forger would leave it. */
const forged = (dir: string, file: string, change: (text: string) => string): string => {
  const copy = join(newFolder(), 'forged');
  cpSync(dir, copy, { recursive: true });
  const [before, manifest] = [file, 'manifest.json'].map((name) => readFileSync(join(copy, name), 'utf8'));
  const text = change(before ?? '');
  expect(text).not.toBe(before);
  writeFileSync(join(copy, file), text);
  const stated = JSON.parse(manifest ?? '');
  for (const entry of stated.files) if (entry.name === file) entry.sha256 = sha256(text);
  writeFileSync(join(copy, 'manifest.json'), `${JSON.stringify(JSON.parse(canonical(stated)), null, 2)}\n`);
  return copy;
};

type Form = (typeof FORMATS)[number];

const exported = async (stage: Stage, period: string, forms: readonly Form[]): Promise<string[]> => {
  const { pool } = stage.database;
  const settings = figureSettings(stage.settings());
  const { timezone, currency } = settings;
  const written: string[] = [];
  for (const [format, profile] of forms) {
    const outDir = join(newFolder(), `${format}-${profile}`);
    await exportReports({ pool, period, timezone, currency, settings, format, profile, outDir });
    written.push(outDir);
  }
  return written;
};

const CHANGED =
  /^the books go on: since this export they (booked [1-9]\d* entr(y|ies) of its time, and )?are proved until 2/;

const JOURNALS = /\/(hledger|beancount)-/;

type Forgery = readonly [file: string, change: (text: string) => string, message: RegExp];

const digit = (text: string): string => text.replace(/(\d),0,tied/, '$11,0,tied');

/** Forgeries of the month before as a file for programs, as one in Spanish, and as a journal. */
const FORGERIES: readonly (readonly Forgery[])[] = [
  [
    [
      'journal.csv',
      (text) => text.replace(/,1,(assets:[^,]*,[^,]*,[A-Z]+),/, ',1,$1,9'),
      /^journal\.csv, line \d+, column amount/,
    ],
    [
      'journal.csv',
      (text) => text.replace(/\n[^\n]+\n$/, '\n'),
      /^journal\.csv, line \d+: expected .*, found the end/,
    ],
    [
      'trial_balance.csv',
      (text) => text.replace(/,EUR,0,/, ',EUR,5,'),
      /^trial_balance, opening of .* EUR: expected 0, found 5$/,
    ],
  ],
  [
    [
      'journal.csv',
      (text) => text.replace(/Compra|Venta|buy|sell/, 'gift'),
      /^journal\.csv, line \d+, column kind/,
    ],
  ],
  [
    [
      'books.hledger',
      (text) => text.replace(/(main:assets:trading {2}-?\d)/, '$11'),
      /^books\.hledger, line \d+/,
    ],
  ],
];

test('an export of the current month holds after a night that brings none, a journal to the byte', async () => {
  const stage = await openStageAfterNight({ until: UNTIL });
  const written = await exported(stage, CURRENT, [FORMATS[0], FORMATS[3], FORMATS[4]]);
  await sleep(NEXT_SECOND_MS);
  await stage.night();
  for (const dir of written) {
    const { alone, faults, unexamined } = await verdictOf(stage, dir);
    expect([alone, faults], dir).toEqual([[], []]);
    expect(unexamined, dir).toMatch(JOURNALS.test(dir) ? /^$/ : CHANGED);
  }
});

describe('after a night that brings late records', () => {
  let stage: Stage;
  const ends: (() => Promise<void>)[] = [];
  let current: string[];
  let over: string[];
  beforeAll(async () => {
    stage = await openStageAfterNight({ until: UNTIL }, (end) => void ends.push(end));
    current = await exported(stage, CURRENT, [FORMATS[0], FORMATS[2], FORMATS[3], FORMATS[4]]);
    over = await exported(stage, OVER, [FORMATS[0], FORMATS[1], FORMATS[3]]);
    await stage.backdate(hoursBefore(14), 3);
    await stage.backdate(hoursBefore(86), 2);
    await sleep(NEXT_SECOND_MS);
    await stage.fullNight();
  });
  afterAll(async () => {
    for (const end of ends) await end();
  });

  const HOLDS = { alone: [], faults: [], unexamined: expect.stringMatching(CHANGED) };

  test('an export of the current month holds', async () => {
    for (const dir of current) expect(await verdictOf(stage, dir), dir).toEqual(HOLDS);
  });

  test('a month that is over and not closed holds, and not with another digit', async () => {
    const [dir = ''] = over;
    expect(await verdictOf(stage, dir)).toEqual(HOLDS);
    expect((await booksVerdict(stage, forged(dir, 'tie_outs.csv', digit))).faults[0]).toMatch(
      /^tie_outs\.csv, line \d+, column booked/,
    );
  });

  test('another cell, text, line, opening or posting is named', async () => {
    for (const [form, forgeries] of FORGERIES.entries()) {
      const dir = over[form] ?? '';
      const faultOf = await faultsBesideMoment(stage, dir);
      expect(await faultOf(dir), dir).toBe(null);
      for (const [file, change, message] of forgeries)
        expect(await faultOf(forged(dir, file, change))).toMatch(message);
    }
  });
});
