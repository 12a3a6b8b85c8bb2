// The facts of a manifest: how far an export is proved, its totals, the configuration behind its figures, and its seals.
import assert from 'node:assert/strict';
import { monthOf } from '../../base/time.ts';
import { together } from '../../base/together.ts';
import type { Database } from '../../database/connection.ts';
import { type Cell, instantText, loadSql } from '../../database/database.ts';
import { cautionsQuery, cautionText } from './cautions.ts';
import { configurationOf, ruleVersions } from './configuration.ts';
import { conservationOf } from './conservation.ts';
import {
  type ControlTotal,
  type Manifest,
  type ManifestFile,
  programOf,
  type SealReference,
  SIGN_CONVENTION,
} from './manifest.ts';
import { parsePeriod } from './period.ts';
import { type Cut, cutSql } from './report.ts';
import { NO_REUSE, type Reuse } from './reuse.ts';
import { inSnapshot, rowsOf, type Snapshot, text } from './snapshot.ts';

/** The head of an export. `settings`: those that affect figures. */
export type Head = Pick<
  Manifest,
  'period' | 'from' | 'to' | 'timezone' | 'currency' | 'entities' | 'profile' | 'format'
> & { readonly settings: Readonly<Record<string, unknown>> };

type ManifestSources = {
  readonly head: Head;
  readonly sealed: readonly Manifest[];
  readonly reuse: Reuse;
};

/**
 * The manifest without its files. `sealed`: the manifests of entities whose month is closed; for a single one, that manifest is
 * the answer.
 */
export const manifestOf = async (
  snapshot: Snapshot,
  cut: Cut,
  { head, sealed, reuse }: ManifestSources,
): Promise<Manifest> => {
  const { settings, ...fields } = head;
  const { profile, format } = fields;
  const [only] = sealed;
  if (only && head.entities.length === 1)
    return { ...only, files: [], profile, format, seals: await sealsWithin(snapshot, cut, head) };
  const [conservation, totals, [proof], seals, entitiesNotRead, cautions] = await together([
    reuse.fact('conservation', () => conservationOf(snapshot, cut, sealed)),
    reuse.fact('control_totals', () => rowsOf(snapshot, cutSql('export/control_totals.sql', cut))),
    rowsOf(snapshot, cutSql('export/as_of.sql', cut)),
    sealsWithin(snapshot, cut, head),
    notRead(snapshot),
    cautionsOf(snapshot, cut, head),
  ]);
  const asOf = proof?.as_of ?? null;
  return {
    program: programOf(),
    ...fields,
    ...(settings.isDemo === true && { is_demo: true }),
    as_of: asOf === null ? null : instantText(asOf),
    sign_convention: SIGN_CONVENTION,
    entities_not_read: entitiesNotRead,
    files: [],
    control_totals: totals.map(controlTotal),
    conservation,
    rule_versions: ruleVersions(),
    configuration: configurationOf(settings),
    seals,
    ...cautions,
  };
};

/** Cautions for the cover; absent if there are none. */
const cautionsOf = async (
  snapshot: Snapshot,
  { entity }: Cut,
  { from, to, timezone }: Head,
): Promise<Pick<Manifest, 'cautions'>> => {
  const rows = await rowsOf(snapshot, cautionsQuery({ from, to, timezone, entity }));
  return rows.length === 0 ? {} : { cautions: rows.map(cautionText) };
};

/** The manifest of one entity's month with the files rendered for it: what a seal stores. */
export const manifestFor = (
  pool: Database['pool'],
  month: Omit<Head, 'entities' | 'profile' | 'format'> & { readonly entity: string },
  files: readonly ManifestFile[],
): Promise<Manifest> =>
  inSnapshot(pool, async (snapshot) => {
    const { entity, from, to, period, timezone, currency, settings } = month;
    const cut = { from, to, by: 'posted_at', entity };
    const head = { period, from, to, timezone, currency, settings, entities: [entity] };
    const facts = await manifestOf(snapshot, cut, {
      head: { ...head, profile: 'machine', format: 'csv' },
      sealed: [],
      reuse: NO_REUSE,
    });
    return { ...facts, files };
  });

/** The seals of the months that lie entirely within a period. */
const sealsWithin = async (
  snapshot: Snapshot,
  { entity }: Cut,
  { from, to, timezone }: Head,
): Promise<SealReference[]> => {
  const months = { first: monthOf(from, timezone), last: monthOf(to, timezone) };
  const rows = await rowsOf(snapshot, loadSql('export/seals_between.sql', { ...months, entity }));
  return rows
    .map((row) => ({
      entity: text(row, 'entity_id'),
      period: text(row, 'period'),
      seal_number: Number.parseInt(text(row, 'seal_number'), 10),
      root: text(row, 'root'),
      seal_sha256: text(row, 'seal_sha256'),
    }))
    .filter(({ period }) => {
      const month = parsePeriod(period, timezone);
      return month.from >= from && month.to <= to;
    });
};

/** Subaccounts that the gateway lists and this program does not read; null if no key was allowed to read the list. */
const notRead = async (snapshot: Snapshot): Promise<readonly string[] | null> => {
  const [listed] = await rowsOf(snapshot, loadSql('export/entities_not_read.sql'));
  return listed === undefined ? null : text(listed, 'entities').split(',').filter(Boolean);
};

const controlTotal = (row: Record<string, Cell>): ControlTotal => {
  const [debit, credit] = [text(row, 'debit'), text(row, 'credit')];
  assert.equal(debit, credit, `the books of ${row.currency} do not balance`);
  const closing = {
    assets: text(row, 'assets'),
    liabilities: text(row, 'liabilities'),
    equity: text(row, 'equity'),
    income: text(row, 'income'),
    expenses: text(row, 'expenses'),
  };
  return { currency: text(row, 'currency'), debit, credit, closing };
};
