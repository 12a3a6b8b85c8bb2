// verify report: an export of a month that goes on is compared with the books of its own moment, in every format and profile.
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { canonical, sha256 } from '../../../src/base/json.ts';
import { figureSettings } from '../../../src/config/config.ts';
import { exportReports } from '../../../src/export/export.ts';
import { verifyAgainstBooks } from '../../../src/verify/report/books.ts';
import { verifyFolder } from '../../../src/verify/report/report.ts';
import { openStageAfterNight, type Stage } from '../../jobs/stage.ts';
import { newFolder } from '../../room.ts';
import { manifestOf } from './stated.ts';

const NEXT_SECOND_MS = 1_100;
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
type Case = readonly [
  name: string,
  bring: (stage: Stage) => Promise<void>,
  forms: readonly Form[],
  isWhole: (dir: string) => boolean,
];
const CASES: readonly Case[] = [
  ['brings records', (stage) => stage.backdate('2026-11-02T10:00:00Z', 3), FORMATS, () => false],
  [
    'brings none, a journal to the byte',
    async () => {},
    [FORMATS[0], FORMATS[3], FORMATS[4]],
    (dir) => JOURNALS.test(dir),
  ],
];

test.each(CASES)(
  'an export of the current month holds after a night that %s',
  async (_, bring, forms, isWhole) => {
    const stage = await openStageAfterNight();
    const written = await exported(stage, '2026-11', forms);
    await bring(stage);
    await sleep(NEXT_SECOND_MS);
    await stage.night();
    for (const dir of written) {
      const { alone, faults, unexamined } = await verdictOf(stage, dir);
      expect([alone, faults], dir).toEqual([[], []]);
      expect(unexamined, dir).toMatch(isWhole(dir) ? /^$/ : CHANGED);
    }
  },
);

test('a month that is over and not closed holds after late records, and not with another digit', async () => {
  const stage = await openStageAfterNight();
  const forms = [FORMATS[0], FORMATS[1], FORMATS[3]];
  const [dir = '', spanish = '', hledger = ''] = await exported(stage, '2026-10', forms);
  await stage.backdate('2026-10-30T10:00:00Z', 2);
  await sleep(NEXT_SECOND_MS);
  await stage.fullNight();
  expect(await verdictOf(stage, dir)).toEqual({
    alone: [],
    faults: [],
    unexamined: expect.stringMatching(CHANGED),
  });
  const faultOf = async (copy: string) => (await booksVerdict(stage, copy)).faults[0];
  const digit = (text: string) => text.replace(/(\d),0,tied/, '$11,0,tied');
  expect(await faultOf(forged(dir, 'tie_outs.csv', digit))).toMatch(
    /^tie_outs\.csv, line \d+, column booked/,
  );
  const amount = (text: string) => text.replace(/,1,(assets:[^,]*,[^,]*,[A-Z]+),/, ',1,$1,9');
  expect(await faultOf(forged(dir, 'journal.csv', amount))).toMatch(/^journal\.csv, line \d+, column amount/);
  const text = (all: string) => all.replace(/Compra|Venta|buy|sell/, 'gift');
  expect(await faultOf(forged(spanish, 'journal.csv', text))).toMatch(/^journal\.csv, line \d+, column kind/);
  const less = (all: string) => all.replace(/\n[^\n]+\n$/, '\n');
  expect(await faultOf(forged(dir, 'journal.csv', less))).toMatch(
    /^journal\.csv, line \d+: expected .*, found the end/,
  );
  const opening = (all: string) => all.replace(/,EUR,0,/, ',EUR,5,');
  expect(await faultOf(forged(dir, 'trial_balance.csv', opening))).toMatch(
    /^trial_balance, opening of .* EUR: expected 0, found 5$/,
  );
  const posting = (all: string) => all.replace(/(main:assets:trading {2}-?\d)/, '$11');
  expect(await faultOf(forged(hledger, 'books.hledger', posting))).toMatch(/^books\.hledger, line \d+/);
});
