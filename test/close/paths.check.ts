// Every path into a closed month that was tried, by each role, with the outcome: the table for auditors.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/database/connection.ts';
import { loadSql } from '../../src/database/sql.ts';
import { PROOFS } from '../../src/verify/ledger/ledger.ts';
import { verifySeals } from '../../src/verify/seals/seals.ts';
import type { Stage } from '../jobs/stage.ts';
import { septemberClosed } from './month.ts';
import { OWNER_PATHS } from './owner-paths.ts';
import { PATHS, type Path, type Who } from './paths.ts';
import { STEPS } from './program-paths.ts';

type Tried = { readonly path: string; readonly by: string; readonly happened: string };

let stage: Stage;
let one: ReturnType<typeof openDatabase>; // queried in sequence, so it uses one connection
let sealDigests: string[]; // digests of the seals, as printed at the close
const tried: Tried[] = [];
const walked: Tried[] = [];

beforeAll(async () => {
  const { stage: opened, closed } = await septemberClosed(afterAll);
  stage = opened;
  sealDigests = closed.map(({ sealed }) => sealed?.sealSha256 ?? '');
  one = openDatabase(stage.database.url);
  await stage.rows(`insert into decide.proposals (entity_id, proposal_id, action, content, reason, prepared_by, prepared_at)
    values ('main', 'a0', 'adjust', '{"effective_at":"2026-09-30T00:00:00.000Z","description":"adjustment","legs":[]}', 'forged',
      'Mallory', now())`);
  for (const path of [...PATHS, ...OWNER_PATHS]) for (const by of path.by) tried.push(await tryOne(path, by));
  await stage.rows('delete from decide.proposals');
  for (const { path, by, walk } of STEPS)
    walked.push({ path, by, happened: await outcomeOf(() => walk(stage)) });
});

afterAll(() => one?.close());

const outcomeOf = (happened: () => Promise<string>): Promise<string> =>
  happened().catch((error: Error) => `refused: ${error.message.split('\n')[0]}`);

/** As a role, in a transaction that is rolled back after verify ledger has checked it. */
const tryOne = async ({ path, sql, shown }: Path, by: Who): Promise<Tried> => {
  await one.pool.query('begin');
  try {
    const happened = await outcomeOf(async () => {
      if (by !== 'owner') await one.pool.query(`set local role tieout_${by}`);
      await one.pool.query(sql);
      await one.pool.query('reset role; set constraints all immediate');
      const fault = await faultFound();
      if (fault !== undefined) return `verify ledger: ${fault}`;
      if (shown !== undefined) return `nothing to find; ${(await one.pool.query(shown)).rows[0]?.shown}`;
      const [lost] = (await verifySeals(one, sealDigests)).flatMap((it) => it.first ?? []);
      return lost === undefined ? NOTHING : `verify ledger --root, with what was kept outside: ${lost}`;
    });
    return { path, by, happened };
  } finally {
    await one.pool.query('rollback');
  }
};

const NOTHING = 'goes through, and verify ledger finds nothing';

/** The first fault of verify ledger; the proofs of seals and entries run before those of sums. */
const faultFound = async (): Promise<string | undefined> => {
  const [fault] = (await verifySeals(one)).flatMap(({ first }) => first ?? []);
  if (fault !== undefined) return fault;
  for (const path of PROOFS.map(([, file]) => file)
    .sort()
    .reverse()) {
    const { rows } = await one.pool.query(loadSql(path));
    if (rows[0]?.first != null) return rows[0].first;
  }
  return undefined;
};

const HEAD = `Paths into a closed month, as tried by test/close/paths.check.ts, which writes this page with: npx vitest run test/close/paths.check.ts -u
September 2026 is closed, October is open. Each line: what was tried | by whom | what happened.
`;

const masked = (text: string): string =>
  text
    .replace(/\b[0-9a-f]{64}\b/g, '(sha256)')
    .replace(/\b([0-9a-f]{8})-[0-9a-f-]{27}\b/g, '$1…')
    .replace(/\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d[.\d]*(Z|\+00)/g, '(instant)')
    .replace(/(request|requests_to) [1-9]\d*/g, '$1 n');

const page = (): string => {
  const lines = (rows: readonly Tried[]) =>
    rows.map(({ path, by, happened }) => masked(`${path} | ${by} | ${happened}`));
  return [
    HEAD,
    'By a statement, each from the same books:',
    ...lines(tried),
    '',
    'By the program, one after the other, to the books as the one before left them:',
    ...lines(walked),
    '',
  ].join('\n');
};

test('the table of paths equals the committed one', async () => {
  await expect(page()).toMatchFileSnapshot('paths.txt');
});

test('verify ledger finds every alteration that a statement achieves', () => {
  expect(tried.filter(({ happened }) => happened === NOTHING)).toEqual([]);
});

test('no statement of a role reaches the closed month', () => {
  const inside = tried.filter(({ by, happened }) => by !== 'owner' && /closed month 2026-09/.test(happened));
  expect(inside).toEqual([]);
});
