// The report page as text: its order, that text from outside is never markup, and that it stays small.
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sum } from '../../../src/base/money.ts';
import { exportReports } from '../../../src/export/export.ts';
import { pageText } from '../../../src/export/page/document.ts';
import { type PageFacts, pageFacts } from '../../../src/export/page/facts.ts';
import { escaped, html, quantity } from '../../../src/export/page/text.ts';
import { NO_REUSE } from '../../../src/export/reports/reuse.ts';
import { inSnapshot } from '../../../src/export/reports/snapshot.ts';
import { freshDatabase, type TestDatabase } from '../../database.ts';
import { filesIn, october } from '../world.ts';
import { IMAGE, makePageWorld, SCRIPT } from './page-world.ts';

const PERIOD = { from: '2026-09-30T22:00:00Z', to: '2026-10-31T23:00:00Z', timezone: 'Europe/Madrid' };

let books: TestDatabase;
let files: Record<string, string>;
let page: string;
beforeAll(async () => {
  books = await freshDatabase();
  await makePageWorld(books);
  files = filesIn((await exportReports(october(books.pool))).dir);
  page = files['report.html'] ?? '';
});
afterAll(() => books.close());

/** The page without its markup, as one line. */
const textOf = (markup: string): string =>
  markup
    .replace(/<style>.*?<\/style>|<desc .*?<\/desc>|<title .*?<\/title>/gs, '')
    .replace(/<\/?(?:i|b|a|span|bdi|time|strong)\b[^>]*>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');

const readCsv = (text = ''): Record<string, string>[] => parse(text, { columns: true });

/** Which of these the text lacks: short output for a long page. */
const lacking = (text: string, parts: readonly string[]): string[] =>
  parts.filter((part) => !text.includes(part));

describe('content of the page', () => {
  test('breaks come first, with everything that a controller needs', () => {
    const text = textOf(page);
    const sentences = [
      '▲ 3 open breaks',
      '1 break accepted for the period: the difference remains (details).',
      '2 gaps',
    ];
    expect(lacking(text, sentences)).toEqual([]);
    const order = [
      'id="verdict"',
      'id="break-1"',
      'id="break-3"',
      'id="waived-1"',
      'id="coverage"',
      'id="balances"',
    ];
    const places = order.map((it) => page.indexOf(it));
    expect(places).toEqual([...places].sort((x, y) => x - y));
    const gravest = textOf(page.slice(page.indexOf('id="break-1"'), page.indexOf('id="break-2"')));
    const parts = [
      'Reported 0.05',
      'Booked 0',
      'Difference 0.05',
      'Since 2026-10-14 02:01 UTC',
      'Age 17 days',
    ];
    const more = [
      'Value 2500.01 EUR',
      'Due at 2026-10-19 02:01 UTC',
      'Assigned to Grace',
      'High',
      'overdue',
      'npx tieout breaks show b5',
    ];
    expect(lacking(gravest, [...parts, ...more])).toEqual([]);
  });

  test('waivers show the person and the reason', () => {
    const waiver =
      'Accepted for 2026-10, 2026-11-02 08:00 UTC, by Ada &quot;&gt;&lt;img src=x onerror=alert(2)&gt;: known, and small';
    expect(lacking(textOf(page), [waiver])).toEqual([]);
  });

  test('the cover shows the entities, the period, the as-of and the program', () => {
    const cover = textOf(page.slice(0, page.indexOf('id="verdict"')));
    expect(lacking(cover, ['October 2026', 'main', 'timezone Europe/Madrid', 'EUR', 'tieout'])).toEqual([]);
  });

  test('amounts are exact, and copied text is the booked amount', () => {
    expect(lacking(textOf(page), ['Difference 1234566.000000000000000001'])).toEqual([]);
    expect(quantity('-1234567.50').html).toBe('<span class="n">-1<i>234</i><i>567</i>.50</span>');
    expect(quantity('12', 2).html).toBe('<span class="n">12<span data-f=".00"></span></span>');
  });

  test('the verdict of a clean page never appears on one with a waiver', async () => {
    const { manifest } = await exportReports(october(books.pool));
    const facts = await factsOf();
    const none = { shown: [], total: 0, value: null };
    const tied = [{ reading: 'newest', entity_id: 'main', status: 'tied', accounts: '3', as_of: null }];
    const { open: _, ...others } = facts.breaks;
    const calm = { ...facts, coverage: [], rejects: [], ties: tied };
    const waived = pageText(manifest, { ...calm, breaks: { ...others, open: none, unseen: 0 } }, null);
    expect(lacking(textOf(waived), ['◆ Tied, except 1 accepted break'])).toEqual([]);
    expect(/\bclean\b/i.test(waived)).toBe(false);
    const closing = { reading: 'closing', entity_id: 'main', status: 'break', accounts: '2', as_of: null };
    const untold = { ...calm, breaks: { ...others, open: none, unseen: 0 }, ties: [...tied, closing] };
    expect(lacking(textOf(pageText(manifest, untold, null)), ['not everything is proved'])).toEqual([]);
    const clean = pageText(
      manifest,
      { ...calm, breaks: { ...others, open: none, waived: none, unseen: 0 } },
      null,
    );
    expect(lacking(textOf(clean), ['● Clean: every balance ties'])).toEqual([]);
    const unsure = { ...calm, breaks: { ...others, open: none, waived: none, unseen: 0 }, ties: [] };
    expect(lacking(textOf(pageText(manifest, unsure, null)), ['not everything is proved'])).toEqual([]);
  });
});

const factsOf = (): Promise<PageFacts> =>
  inSnapshot(books.pool, (snapshot) =>
    pageFacts(
      snapshot,
      { ...PERIOD, period: '2026-10', currency: 'EUR', entity: '', parts: [{ from: 'books', entity: '' }] },
      NO_REUSE,
    ),
  );

describe('text from outside', () => {
  test('is never interpreted as markup', () => {
    expect(lacking(page, ['&lt;script&gt;', '⟨U+202E⟩eslaf⟨U+202C⟩'])).toEqual([]);
    expect(page.match(/<style/g)).toHaveLength(1);
    const tags = [...page.matchAll(/<[^>]*>/g)].map(([tag]) => tag);
    expect(tags.filter((tag) => /^<(script|img|iframe|link|object|base)\b|javascript:/i.test(tag))).toEqual(
      [],
    );
    expect(
      tags.filter((tag) => /\son\w+=/i.test(tag.replace(/"[^"]*"/g, '""'))), // a quoted id may have these letters
    ).toEqual([]);
    expect(escaped(`\0\u202E\uD800\u2028<&>"'\n`)).toBe(
      '⟨U+0000⟩⟨U+202E⟩⟨U+D800⟩⟨U+2028⟩&lt;&amp;&gt;&quot;&#39; ',
    );
    expect(html`<p title="${IMAGE}">${[SCRIPT, null, 3]}</p>`.html).not.toMatch(/<(script|img)/);
  });

  test('never appears in a command that a reader may paste', () => {
    const commands = [...page.matchAll(/<code>(npx tieout [^<]*)<\/code>/g)].map((match) =>
      (match[1] ?? '').replaceAll('&#39;', "'"),
    );
    expect(commands.length).toBeGreaterThan(2);
    for (const command of commands) expect(command).not.toMatch(/[;$`|<>\\]|rm -rf|onerror/);
  });

  test('the query beside a figure gives its records, and they sum to it', async () => {
    const { dir } = await exportReports({ ...october(books.pool), entities: ['main', 'Zeta'] });
    const questions = [...(filesIn(dir)['report.html'] ?? '').matchAll(/<code>npx tieout query "(.*?)"</g)]
      .map((it) => (it[1] ?? '').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&gt;', '>'))
      .filter((it) => it.includes("currency = 'BTC'") && it.includes('posted_at'));
    const sums = await Promise.all(
      questions.map(async (question) =>
        sum((await books.pool.query<{ amount: string }>(question)).rows.map(({ amount }) => amount)),
      ),
    );
    expect(sums).toEqual(['0.123456789012345677', '0.000000000000000001']); // the amount added to the balance, and the fees
  });

  test('the page loads nothing from the network', () => {
    expect(
      lacking(page, [`Content-Security-Policy" content="default-src 'none'; style-src 'sha256-`]),
    ).toEqual([]);
    expect(page.match(/(?:src|href)="(?:\w+:|\/)/g)).toBe(null);
  });
});

describe('the part in money', () => {
  test('comes first, with cents on its face, and says what it lacks', () => {
    const text = textOf(page);
    expect(
      lacking(text, ['In money', 'Market value', 'What changed the holdings, at cost', 'Currency exposure']),
    ).toEqual([]);
    expect(page.indexOf('id="overview"')).toBeLessThan(page.indexOf('id="verdict"'));
    const part = page.slice(page.indexOf('id="overview"'), page.indexOf('id="verdict"'));
    expect(part.match(/<svg(?! class="strip" [^>]*aria-hidden="true"| viewBox[^>]*role="img")/g)).toBe(null);
  });

  test.each([
    [
      'excel-es',
      'es',
      ['Octubre de 2026', 'Valor de mercado', '3 descuadres abiertos', 'Lo que esta página no puede probar'],
    ],
    [
      'excel-de',
      'de',
      ['Oktober 2026', 'Marktwert', '3 offene Abweichungen', 'Was diese Seite nicht nachweisen kann'],
    ],
  ] as const)('is in the language of the profile: %s', async (profile, language, sentences) => {
    const { dir } = await exportReports({ ...october(books.pool), profile });
    const local = filesIn(dir);
    const translated = local['report.html'] ?? '';
    expect(
      lacking(
        textOf(translated).toLowerCase(),
        sentences.map((sentence) => sentence.toLowerCase()),
      ),
    ).toEqual([]);
    expect(translated).toContain(`<html lang="${language}">`);
    expect(local['report.json']).toBe(files['report.json']);
  });

  test('report.json has the rows of the page, exact, and its digest is in the manifest', () => {
    const report = JSON.parse(files['report.json'] ?? '');
    const manifest = JSON.parse(files['manifest.json'] ?? '');
    expect(manifest.files.map(({ name }: { name: string }) => name).slice(-2)).toEqual([
      'report.json',
      'report.html',
    ]);
    expect([report.period, report.currency, report.entities]).toEqual([
      manifest.period,
      manifest.currency,
      manifest.entities,
    ]);
    const assets = report.values.filter(
      ({ what, moment }: Record<string, string>) => what === 'asset' && moment === 'closing',
    );
    const unitsOf = (currency: string): string =>
      sum(
        readCsv(files['holdings.csv']).flatMap((row) => (row.currency === currency ? (row.units ?? []) : [])),
      );
    expect(assets.length).toBeGreaterThan(2);
    for (const { currency, units } of assets) expect(units, currency).toBe(unitsOf(currency));
    expect(report.breaks.open.total).toBe(3);
    expect(report.close_state.map(({ state }: { state: string }) => state)).toEqual(['open', 'open', 'open']);
    const amounts = (files['report.json'] ?? '').match(
      /"(?:units|cost|market|in|out|realised)": (?!"|null)/g,
    );
    expect(amounts).toBe(null); // amounts are text: no reader of JSON rounds them
    const retired = /"(?:worth|told|actual|expected|discrepancy|belongs_to|created_at)":/; // words that the field does not use
    expect(files['report.json']).not.toMatch(retired);
  });

  test('the appendix has statements with the values of the page, which the books answer', async () => {
    const { dir } = await exportReports({ ...october(books.pool), entities: ['main', 'Zeta'] });
    const html = filesIn(dir)['report.html'] ?? '';
    const statements = [...html.matchAll(/<pre[^>]*><code>(.*?)<\/code><\/pre>/gs)].map(([, text = '']) =>
      text
        .replaceAll('&#39;', "'")
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&quot;', '"')
        .replaceAll('&amp;', '&'),
    );
    expect(statements).toHaveLength(5);
    expect(statements.every((statement) => statement.includes("'Zeta,main'"))).toBe(true);
    const answers = await Promise.all(
      statements.map(async (statement) => (await books.pool.query(statement)).rows.length),
    );
    expect(answers[0]).toBeGreaterThan(0);
    expect(answers[4]).toBe(2);
  });
});

test('hundreds of entities and thousands of breaks give a page of the usual size, which states what it leaves out', async () => {
  await books.pool.query(
    `insert into run.entities (entity_id, name, timezone, currency, first_seen_at)
     select 'e' || n, 'unit ' || n, 'Europe/Madrid', 'EUR', '2026-10-01' from generate_series(1, 300) n`,
  );
  await books.pool.query(
    `insert into land.coverage select 'e' || n, s, '', '{[-infinity,2026-12-01)}'
     from generate_series(1, 300) n cross join unnest(array['movements', 'trades']) s`,
  );
  await books.pool.query(
    `insert into reconcile.breaks (entity_id, break_id, check_name, subject, status, reason, opened_at, since, run_id)
     select 'e' || n % 300 + 1, 'x' || n, 'conservation', 'trades', 'open', 'unknown', '2026-10-02', '2026-10-02',
       '00000000-0000-4000-8000-000000000001'
     from generate_series(1, 3000) n`,
  );
  const many = filesIn((await exportReports(october(books.pool))).dir)['report.html'] ?? '';
  const sentences = [
    '3,003 open breaks',
    'and 2,943 more in breaks.csv',
    'and 567 more streams in coverage.csv',
  ];
  expect(lacking(textOf(many), sentences)).toEqual([]);
  expect(many.length).toBeLessThan(600_000);
  expect(many.match(/id="cal-\d+-t"/g)).toHaveLength(40);
}, 60_000);
