// Reports that do not agree with each other: a finding of every night that writes them, and no month is closed over them.
import { expect, test } from 'vitest';
import { close } from '../close/month.ts';
import { openStage, type Stage } from './stage.ts';

/** Adds to one line of value of September. */
const alter = (stage: Stage, cents: string) =>
  stage.rows(`update value.postings set value = value + ${cents} where (entity_id, entry_id, line) = (
    select entity_id, entry_id, line from value.postings join ledger.entries using (entity_id, entry_id)
    where entity_id = 'main' and ledger.entries.period = '2026-09' and account = 'assets:trading' and value <> 0
    order by entity_id, entry_id, line limit 1)`);

const findings = (stage: Stage) =>
  stage.rows(`
    select entity_id, severity, detail from books.findings
    where subject = 'reports' and run_id = (select run_id from books.runs order by started_at desc limit 1) order by detail collate "C"`);

test('a night whose reports do not agree ends with findings, and the next without once they do', async () => {
  const stage = await openStage({ entities: 1, until: '2026-10-03T00:00:00Z' });
  expect(await stage.nightWithFiles()).toMatchObject({ exitCode: 0 });
  await stage.advance(1);
  await stage.night();
  await alter(stage, '0.01');

  for (const night of ['that writes the month', 'with nothing new']) {
    const { exitCode, summary } = await stage.nightWithFiles();
    expect(exitCode, night).toBe(1);
    expect(summary).toMatch(/ [1-9]\d* findings?,/);
    const found = await findings(stage);
    expect(found.length, night).toBeGreaterThan(0);
    expect(found.filter(({ entity_id, severity }) => entity_id !== 'main' || severity !== 'finding')).toEqual(
      [],
    );
    expect(found.map(({ detail }) => detail)).toContainEqual(
      expect.stringMatching(
        /^2026-09: "opening value \+ lines = closing value" of general_ledger\.csv does not hold \(rows: 1, the first: assets:trading [A-Z]+\), see checks\.csv: npx tieout verify ledger names what was altered$/,
      ),
    );
  }

  const { closed } = await close(stage, '2026-09');
  expect(closed.flatMap(({ obstacles }) => obstacles)).toContainEqual({
    need: 'reports',
    subject: 'general_ledger',
    detail:
      '"opening value + lines = closing value" does not hold (rows: 1): npx tieout verify ledger names what was altered',
  });

  await alter(stage, '-0.01');
  expect(await stage.nightWithFiles()).toMatchObject({ exitCode: 0 });
  expect(await findings(stage)).toEqual([]);
  expect((await close(stage, '2026-09')).closed.map(({ sealed }) => sealed !== null)).toEqual([true]);
});
