// Every value of every table altered by the owner, whom no right limits: the verify command that detects it. New tables and
// columns are included automatically, because the list comes from the catalogue.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { approveMonths, reopenMonths } from '../../../src/actions/close.ts';
import { codeOf, openDatabase } from '../../../src/database/connection.ts';
import { loadSql } from '../../../src/database/sql.ts';
import { COVERS } from '../../../src/run/covers.ts';
import { verifyCoverage } from '../../../src/verify/coverage/coverage.ts';
import { PROOFS } from '../../../src/verify/ledger/ledger.ts';
import { proveLinks } from '../../../src/verify/ledger/links.ts';
import { verifySeals } from '../../../src/verify/seals/seals.ts';
import { headsIn, proveHeads, sealText, verifyRows } from '../../../src/verify/verify.ts';
import { DECISIONS, decideAll } from '../../approvals/decisions.ts';
import { as, close, septemberClosed, TERMS } from '../../close/month.ts';
import type { Stage } from '../../jobs/stage.ts';
import { textOf } from '../../tidy/source.ts';
import { type Alteration, alterationsOf, fillEmpty, freed, tablesIn } from './alterations.ts';

type Tried = Alteration & { readonly noticed: string };

let stage: Stage;
let one: ReturnType<typeof openDatabase>; // queried in sequence, so it uses one connection
let heads: ReturnType<typeof headsIn>;
const tried: Tried[] = [];

beforeAll(async () => {
  ({ stage } = await septemberClosed(afterAll));
  const month = { period: '2026-09', by: 'Grace' };
  await as(stage, (work) => approveMonths(work, month));
  await as(stage, (work) => reopenMonths(work, { ...month, reason: 'a late bill' }));
  await close(stage, '2026-09');
  await as(stage, (work) => approveMonths(work, month));
  const { db } = stage.database;
  await decideAll({ db, decider: db, settings: TERMS }, DECISIONS);
  one = openDatabase(stage.database.url);
  await freed(one.pool);
  await fillEmpty(one.pool);
  await as(stage, async () => {}); // the end of a run links the new rows
  heads = headsIn(await sealText(one.db));
  const tables = (await tablesIn(one.pool)).map(alterationsOf);
  const unnoticed = await tryUnnoticed(tables.filter((alterations) => alterations.every(isUncovered)));
  for (const alteration of tables.flat())
    tried.push({
      ...alteration,
      noticed: unnoticed.has(alteration) ? NOBODY : await tryTogether([alteration]),
    });
}, 1_200_000);

afterAll(() => one?.close());

const isUncovered = ({ table }: Alteration): boolean => COVERS[table]?.none !== undefined;

/**
 * Alterations that nobody notices, of tables that nothing covers: each takes every command to its end, so one of each table is
 * tried at a time. Those of a group that is noticed are not among them: they are tried one by one.
 */
const tryUnnoticed = async (tables: readonly (readonly Alteration[])[]): Promise<Set<Alteration>> => {
  const unnoticed = new Set<Alteration>();
  for (let nth = 0; tables.some(({ length }) => length > nth); nth += 1) {
    const group = tables.flatMap((alterations) => alterations.slice(nth, nth + 1));
    if ((await tryTogether(group)) === NOBODY) for (const alteration of group) unnoticed.add(alteration);
  }
  return unnoticed;
};

/** The first command that notices these alterations, made together. */
const tryTogether = async (alterations: readonly Alteration[]): Promise<string> => {
  await one.pool.query('begin');
  try {
    await one.pool.query('set local session_replication_role = replica');
    for (const { sql } of alterations) {
      const { rowCount } = await one.pool.query(sql);
      if (rowCount === 0) throw new Error(`nothing was altered by ${sql}`);
    }
    return await noticedBy(alterations.map(({ table }) => table));
  } catch (error) {
    if (!CONSTRAINT.test(codeOf(error))) throw error;
    return REFUSED;
  } finally {
    await one.pool.query('rollback');
  }
};

const NOBODY = 'nobody';

/** An alteration that a unique index or a check refuses must drop that first, which verify ledger detects in the catalogue. */
const CONSTRAINT = /^(23505|23514)$/;
const REFUSED = 'a constraint';

/** The links of the tables run first, because most alterations break them; the commands are in the order of the page. */
const noticedBy = async (tables: readonly string[]): Promise<string> => {
  if ((await proveLinks(one.db, tables)).first !== null) return 'verify ledger';
  const coverage = async () =>
    (await verifyCoverage(one.db)).some(({ fault }) => fault !== null) ? 'verify coverage' : null;
  const ledger = async () => ((await ledgerFault()) === null ? null : 'verify ledger');
  const isCertified = tables.some((table) => COVERS[table]?.proof === 'verify coverage');
  for (const ask of isCertified ? [coverage, ledger] : [ledger, coverage]) {
    const noticed = await ask();
    if (noticed !== null) return noticed;
  }
  if (typeof heads !== 'string' && (await proveHeads(one.db, heads)).first !== null) return 'verify --seal';
  return NOBODY;
};

/** What verify ledger finds; the links of all tables, which take longest, come last. */
const ledgerFault = async (): Promise<string | null> => {
  for (const [, path] of PROOFS) {
    const { rows: proofs } = await one.pool.query(loadSql(path));
    if (proofs[0]?.first != null) return proofs[0].first;
  }
  const sealed = (await verifySeals(one)).find(({ first }) => first !== null);
  if (sealed) return sealed.first;
  const rows = await verifyRows(one.db, { timezone: 'UTC', currency: 'EUR' });
  return rows.flatMap(({ first }) => first ?? [])[0] ?? null;
};

const HEAD = `Alterations by the owner, as tried by test/database/roles/alterations.check.ts, which writes this page with: npx vitest run --project checks test/database/roles/alterations.check.ts -u
What was altered, each from the same books | the first verify command that notices: ledger (of records, pages, intervals and coverage: coverage), the other, --seal. verify report rests on these. What a constraint refuses needs another catalogue, which verify ledger notices.
`;

const page = (): string => {
  const counts = new Map<string, number>();
  for (const { noticed } of tried) counts.set(noticed, (counts.get(noticed) ?? 0) + 1);
  const totals = [...counts].sort().map(([noticed, count]) => `${count} noticed by ${noticed}`);
  return [
    HEAD,
    `${tried.length} alterations: ${totals.join(', ')}.`,
    '',
    ...tried.map(({ what, noticed }) => `${what} | ${noticed}`),
    '',
  ].join('\n');
};

test('unaltered books pass', async () => {
  expect(await ledgerFault()).toBeNull();
  expect((await verifyCoverage(one.db)).filter(({ fault }) => fault !== null)).toEqual([]);
});

test('the table of alterations equals the committed one', async () => {
  expect(tried.length).toBeGreaterThan(400);
  await expect(page()).toMatchFileSnapshot('alterations.txt');
});

test('an alteration that no proof detects has its reason in src/verify/README.md', () => {
  const readme = textOf('src/verify/README.md').replace(/\s+/g, ' ');
  const reasons = Object.entries(COVERS).flatMap(([table, { none, except = {} }]) => [
    ...(none === undefined ? [] : [[table, none] as const]),
    ...Object.entries(except).map(([column, why]) => [`${table}.${column}`, why] as const),
  ]);
  for (const [name, why] of reasons) expect(readme).toContain(`\`${name}\`: ${why}`);
  const unnoticed = tried.filter(({ noticed }) => noticed === NOBODY);
  const unexplained = unnoticed.filter(
    ({ table, column }) => !reasons.some(([name]) => name === table || name === `${table}.${column}`),
  );
  expect(unexplained.map(({ what }) => what)).toEqual([]);
});
