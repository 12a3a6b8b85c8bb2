// What a report shows: every table that its SQL reads, through views and functions too, has a mark among those that the report names.
// Without one, a change of the table would leave the file of an earlier night as it was.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../../src/base/root.ts';
import { sqlPaths } from '../../../src/database/sql.ts';
import { listedSources } from '../../../src/export/refresh/sources.ts';

/** By table, the marks of which each changes with every change of it that a report shows. */
const MARKS: Readonly<Record<string, readonly string[]>> = {
  'decide.approvals': ['entries'], // what was approved changes in the same transaction
  'decide.proposals': ['entries'],
  'decide.chart_classes': ['chart'],
  'decide.chart_lines': ['chart'],
  'decide.charts': ['chart'],
  'decide.counterparty_accounts': ['counterparties'],
  'decide.counterparty_files': ['counterparties'],
  'decide.counterparty_rules': ['counterparties'],
  'decide.dismissals': ['rejects'],
  'decide.profiles': ['profiles'],
  'decide.seals': ['seals'],
  'decide.waivers': ['breaks'],
  'land.balances': ['names'], // which currency a pocket had when a record landed
  'land.coverage': ['coverage', 'external'], // a line of a statement is due by it, which is a break
  'land.external_accounts': ['external'],
  'land.external_lines': ['external'],
  'land.external_statements': ['external'],
  'land.external_withdrawals': ['external'],
  'land.leaves': ['coverage'],
  'land.official_files': ['official', 'breaks'], // of closing balances and statements: the value of a break, which they do not show
  'land.official_rates': ['official', 'breaks'],
  'land.people': ['erasures'],
  'land.pockets': ['names'],
  'land.rate_lists': ['rates', 'breaks'],
  'land.rates': ['rates', 'breaks'],
  'land.records': ['records', 'rejects', 'chart', 'official', 'rates'], // the list of assets is in the chart; a rate names its record
  'land.snapshots': ['names'],
  'ledger.daily': ['entries'],
  'ledger.entries': ['entries'],
  'ledger.outcomes': ['inbox'],
  'ledger.returns': ['returns'],
  'ledger.totals': ['entries'],
  'ledger.transfers': ['entries'],
  'reconcile.breaks': ['breaks'],
  'reconcile.clearing_days': ['pairs'],
  'reconcile.clearing_matches': ['pairs'],
  'reconcile.external_matches': ['external'],
  'reconcile.own_days': ['names'],
  'reconcile.own_transfers': ['transfers'],
  'reconcile.paired_totals': ['pairs'],
  'reconcile.severities': ['breaks'],
  'reconcile.tie_outs': ['readings', 'results', 'compared'],
  'run.entities': ['entities'],
  'run.runs': ['program', 'entities'], // their order alone
  'value.findings': ['values'],
  'value.lots': ['values'],
  'value.monthly': ['values'],
  'value.open_lots': ['values'],
  'value.postings': ['values'],
  'value.unvalued': ['values'],
  'value.uses': ['values'],
};

const withoutComments = (sql: string): string => sql.replace(/--[^\n]*/g, '');

const sqlOf = (path: string): string => withoutComments(readFileSync(join(packageRoot, 'sql', path), 'utf8'));

/** The text of each view and function, by name. */
const objects = new Map<string, string>();
for (const path of sqlPaths('views'))
  for (const part of sqlOf(path).split(/^(?=create |comment )/m)) {
    const name = /^create (?:view|function) ([\w.]+)/.exec(part)?.[1];
    if (name)
      objects.set(name, `${objects.get(name) ?? ''} ${part.slice('create view '.length + name.length)}`);
  }

const migrations = join(packageRoot, 'migrations');
const tables = new Set(
  readdirSync(migrations).flatMap((file) =>
    [...readFileSync(join(migrations, file), 'utf8').matchAll(/^create (?:table|view) ([\w.]+)/gm)].map(
      ([, name]) => name,
    ),
  ),
);

/** The tables that a statement reads, through views and functions. */
const tablesIn = (sql: string, seen = new Set<string>()): Set<string> => {
  const found = new Set<string>();
  for (const [name] of sql.matchAll(/\b[a-z_]+\.[a-z_]\w*/g)) {
    if (seen.has(name)) continue;
    seen.add(name);
    if (tables.has(name)) found.add(name);
    for (const table of tablesIn(objects.get(name) ?? '', seen)) found.add(table);
  }
  return found;
};

/** The tables that the SQL of a report or a fact reads and none of its marks covers. */
const uncovered = (kinds: ReadonlySet<string>, paths: readonly string[]): string[] =>
  [...new Set(paths.flatMap((path) => [...tablesIn(sqlOf(path))]))]
    .filter((table) => !(MARKS[table] ?? []).some((kind) => kinds.has(kind)))
    .sort();

const { reports, facts } = listedSources();

test('each report names what it shows', () => {
  expect([...reports.keys()].map((name) => `reports/${name}.sql`).sort()).toEqual(sqlPaths('reports'));
});

test.each([...reports])('%s: every table that it reads has a mark', (name, kinds) => {
  expect(uncovered(kinds, [`reports/${name}.sql`])).toEqual([]);
});

const SQL_OF_FACTS = [...sqlPaths('page'), ...sqlPaths('export')];

test.each([...facts])('the fact %s: every table that it reads has a mark', (name, kinds) => {
  const paths = SQL_OF_FACTS.filter((path) => new RegExp(`/${name}(_sums)?\\.sql$`).test(path));
  expect(paths.length).toBeGreaterThan(0);
  expect(uncovered(kinds, paths)).toEqual([]);
});
