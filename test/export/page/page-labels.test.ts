// Labels on the page: instead of ids wherever a person reads one, with the id behind each, in a table and in report.json.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exportReports } from '../../../src/export/export.ts';
import { escaped } from '../../../src/export/page/text.ts';
import { freshDatabase, type TestDatabase } from '../../database.ts';
import { filesIn, october } from '../world.ts';
import { LABELS, labelPageWorld, makePageWorld } from './page-world.ts';

let books: TestDatabase;
let plain: Record<string, string>;
let labelled: Record<string, string>;
const exported = async (): Promise<Record<string, string>> =>
  filesIn((await exportReports({ ...october(books.pool), profile: 'excel-es' })).dir);
beforeAll(async () => {
  books = await freshDatabase();
  await makePageWorld(books);
  plain = await exported();
  await labelPageWorld(books);
  labelled = await exported();
});
afterAll(() => books.close());

const pageOf = (files: Record<string, string>): string => files['report.html'] ?? '';

/** What stands on the page as a name: without commands, statements and the table of names. */
const namesOn = (page: string): string[] => {
  const read = page.replace(/<pre.*?<\/pre>|<code>.*?<\/code>|<div id="names">.*?<\/table>/gs, '');
  return [...read.matchAll(/<bdi[^>]*>(.*?)<\/bdi>/gs)].map(([, name = '']) => name);
};

test('no id stands where it has a label, in either part', () => {
  const before = namesOn(pageOf(plain));
  const after = namesOn(pageOf(labelled));
  for (const [id, label] of Object.entries(LABELS)) {
    expect(before, label).not.toContain(escaped(label));
    expect(after, id).not.toContain(escaped(id));
    expect(after, label).toContain(escaped(label));
  }
  expect(before).toContain('Cuenta de trading');
  expect(after.length).toBe(before.length);
});

test('each id is behind its label, in the table of names, and in the commands', () => {
  const page = pageOf(labelled);
  const [table = ''] = page.match(/<div id="names">.*?<\/table>/s) ?? [];
  for (const [id, label] of Object.entries(LABELS)) {
    expect(page).toContain(`<bdi class="name" title="${escaped(id)}">${escaped(label)}</bdi>`);
    expect(table).toMatch(new RegExp(`${quoted(escaped(label))}</bdi></td>.*?${quoted(escaped(id))}`, 's'));
  }
  expect(page.match(/<code>npx tieout [^<]*<\/code>/g)).toEqual(
    pageOf(plain).match(/<code>npx tieout [^<]*<\/code>/g),
  );
});

const quoted = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

test('a label is never markup, and changes no figure', () => {
  const page = pageOf(labelled);
  expect(page).not.toContain('<script');
  expect(page).toContain('&lt;script&gt;alert(&quot;label&quot;)&lt;/script&gt;');
  const figures = (text: string) =>
    text.replace(/<div id="files">.*/s, '').match(/<span class="n">.*?<\/span>/g);
  expect(figures(page)).toEqual(figures(pageOf(plain)));
  expect(figures(page)?.length).toBeGreaterThan(100);
});

test('report.json has the label beside each id', () => {
  const report = JSON.parse(labelled['report.json'] ?? '');
  expect(report.entity_names).toEqual({
    ...Object.fromEntries(Object.entries(LABELS).filter(([id]) => !id.startsWith('assets:'))),
    Zeta: 'a subaccount',
  });
  for (const rows of ['close_state', 'ties', 'coverage', 'rejects'])
    for (const row of report[rows])
      expect(row.entity_name, rows).toBe(LABELS[row.entity_id as keyof typeof LABELS] ?? null);
});
