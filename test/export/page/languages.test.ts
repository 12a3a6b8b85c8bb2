// The languages of the page: a page in Spanish or German has no English but its SQL, its commands and names from outside,
// and no source of the page has a sentence of its own.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readCsvFile } from '../../../src/base/csv-file.ts';
import { sqlPaths } from '../../../src/database/sql.ts';
import { exportReports } from '../../../src/export/export.ts';
import { pageText } from '../../../src/export/page/document.ts';
import { type PageFacts, pageFacts } from '../../../src/export/page/facts.ts';
import type { ReportRow } from '../../../src/export/page/rows.ts';
import type { Manifest } from '../../../src/export/reports/manifest.ts';
import { NO_REUSE } from '../../../src/export/reports/reuse.ts';
import { inSnapshot } from '../../../src/export/reports/snapshot.ts';
import { reportTitles } from '../../../src/export/reports/titles.ts';
import { freshDatabase } from '../../database.ts';
import { type Node, placeOf, type Source, sourceOf, sourcesIn, textOf } from '../../tidy/source.ts';
import { october } from '../world.ts';
import { makePageWorld } from './page-world.ts';
import { PARTS, REASON_KINDS } from './reasons.ts';

const LANGUAGES = ['en', 'es', 'de'] as const;
type Language = (typeof LANGUAGES)[number];
type Texts = Readonly<Record<Language, string>>;

const textsIn = (path: string, columns: readonly string[]): Texts[] =>
  readCsvFile(path, [...columns, ...LANGUAGES]).map(({ cells }) => cells as unknown as Texts);

const PHRASES = textsIn('src/export/page/phrases.csv', ['key']);
const WORDS = textsIn('src/export/reports/words.csv', ['vocabulary', 'word']);
const HEADINGS = textsIn('src/export/reports/headings.csv', ['column', 'kind', 'unit']);
const TITLES = [...reportTitles().values()].map(({ titles }) => titles);

/** The texts of a phrase between its places, each form and each name of a list by itself. */
const piecesOf = (phrase: string): string[] =>
  phrase
    .split(/\||,|\{\w+\}/)
    .map((piece) => piece.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '').toLowerCase())
    .filter((piece) => /\p{L}{2}/u.test(piece));

let manifest: Manifest;
let facts: PageFacts;
let stored: string[];
beforeAll(async () => {
  const books = await freshDatabase();
  await makePageWorld(books);
  ({ manifest } = await exportReports(october(books.pool)));
  const { period, from, to, timezone, currency } = manifest;
  facts = await inSnapshot(books.pool, (snapshot) =>
    pageFacts(
      snapshot,
      { period, from, to, timezone, currency, entity: '', parts: [{ from: 'books', entity: '' }] },
      NO_REUSE,
    ),
  );
  const { rows } = await books.pool.query<{ reason: string }>('select reason from books.breaks');
  stored = rows.map(({ reason }) => reason);
  await books.close();
});
afterAll(() => undefined);

const PROFILES = { en: 'excel-en', es: 'excel-es', de: 'excel-de' } as const;

/** A break for each kind of reason, half of them about an account and half about a record. */
const reasoned = (): ReportRow[] =>
  REASON_KINDS.map((kind, nth) => ({
    ...facts.breaks.open.shown[0],
    account: nth % 2 === 0 ? 'assets:clearing:earn' : null,
    check_name: 'bank_lines',
    reason_parts: JSON.stringify({ ...PARTS, kind }),
  }));

const CAUTIONS: readonly ReportRow[] = [
  { caution: 'one-person', set_by: 'Ada', set_at: '2026-10-01T00:00:00Z', reason: 'klein' },
  ...['1', '12'].flatMap((findings) =>
    [null, 'Grace'].map((by) => ({
      caution: 'unvalued',
      period: '2026-10',
      entity_id: 'main',
      findings,
      kinds: 'no-lot, no-rate',
      accepted_by: by,
    })),
  ),
];

/** Everything at once that makes the page speak: long lists, seals, each result of a tie-out, breaks that nobody confirmed. */
const crowded = (): PageFacts => {
  const { breaks, ties, money, coverage } = facts;
  const [list] = coverage;
  const [money0] = money.currencies;
  const results = ['tied', 'break', 'in-flight', 'pending', 'in-transit', 'uncovered', 'not read'];
  const seal = {
    ...breaks.waived.shown[0],
    entity_id: 'main',
    root: 'ab12',
    entries: '1234',
    prepared_by: 'Ada',
    sealed_at: '2026-11-03T00:00:00Z',
  };
  return {
    ...facts,
    breaks: {
      ...breaks,
      unseen: 2,
      open: { ...breaks.open, shown: [...breaks.open.shown, ...reasoned()], total: 4321 },
      waived: { ...breaks.waived, total: 100 },
      resolved: { ...breaks.resolved, total: 100 },
    },
    ties: [
      ...ties,
      ...results.map((status) => ({ ...ties[0], reading: 'closing', status, accounts: '1200' })),
    ],
    coverage: [
      ...coverage,
      ...Array.from({ length: 50 }, (_, nth) => ({ ...list, entity_id: `e${nth}` })),
      { ...list, entity_id: 'none', stream: null, scope: null, what: 'not read' },
      { ...list, entity_id: 'late', what: 'not read' },
    ],
    money: {
      ...money,
      currencies: [...money.currencies, ...(money0 ? Array<typeof money0>(70).fill(money0) : [])],
    },
    cautions: CAUTIONS,
    seals: [seal, { ...seal, entity_id: 'Zeta', break_id: null, value: null }],
  };
};

const pagesIn = (language: Language): string => {
  const local = { ...manifest, profile: PROFILES[language] };
  const quiet = { shown: [], total: 0, value: null };
  const none = { open: quiet, waived: quiet, resolved: quiet, ages: new Map(), unseen: 0 };
  return [
    pageText(local, facts, 'ab12'),
    pageText(local, crowded(), null),
    pageText(local, { ...facts, breaks: none, coverage: [], rejects: [], ties: [], entities: [] }, null),
  ].join('\n');
};

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** What a page says: its texts and those of its attributes, without code, names from outside and moments. */
const textsOf = (page: string): Set<string> => {
  const spoken = page
    .replace(/<style>.*?<\/style>|<pre.*?<\/pre>|<code>.*?<\/code>|<time.*?<\/time>/gs, '')
    .replace(/<bdi.*?<\/bdi>|<span class="code">.*?<\/span>/gs, '')
    .replace(/<a class="file" href="[\w.]+">[\w.]+<\/a>/g, '');
  const attributes = [...spoken.matchAll(/ (?:aria-label|alt|placeholder|title)="([^"]*)"/g)];
  return new Set(
    [...spoken.split(/<[^>]*>/), ...attributes.map(([, text = '']) => text)]
      .map((text) => text.replace(/&(\w+|#39);/g, (all, name: string) => ENTITIES[name] ?? all).trim())
      .filter((text) => /\p{Ll}{2}/u.test(text)),
  );
};

/** What all languages write the same way. */
const COMMON = new Set(
  [...PHRASES, ...WORDS, ...HEADINGS, ...TITLES]
    .flatMap(({ en, es, de }) => (en === es || en === de ? [en, ...piecesOf(en)] : []))
    .concat(piecesOf([...PHRASES].flatMap(({ es, de }) => [es, de]).join('|')))
    .map((text) => text.toLowerCase()),
);

/** File names, accounts, the checks of the small world, and the program. */
const isName = (text: string): boolean =>
  /^[\w./:*-]*[._:*/][\w./:*-]*$/.test(text) || /^(?:clearing|conservation|tieout [\d.]+)$/.test(text);

describe.each(['es', 'de'] as const)('a page in %s', (language) => {
  test('has no English phrase, whole or in part', () => {
    const texts = [...textsOf(pagesIn(language))].map((text) => text.toLowerCase());
    expect(texts.length).toBeGreaterThan(200);
    const own = new Set(PHRASES.flatMap((phrase) => piecesOf(phrase[language])));
    const english = new Set(PHRASES.flatMap(({ en }) => piecesOf(en)).filter((piece) => !own.has(piece)));
    expect(english.size).toBeGreaterThan(300);
    const isIn = (text: string, piece: string) =>
      piece.includes(' ') ? ` ${text} `.includes(` ${piece}`) : text === piece;
    const found = texts.filter((text) => [...english].some((piece) => isIn(text, piece)));
    expect(found).toEqual([]);
  });

  test('shares with the English page only names, and words that both languages write the same way', () => {
    const english = textsOf(pagesIn('en'));
    const shared = [...textsOf(pagesIn(language))]
      .filter((text) => english.has(text) && !isName(text))
      .filter((text) => !COMMON.has(text.toLowerCase()));
    expect(shared).toEqual([]);
  });
});

describe('what the books store in English', () => {
  test.each(['en', 'es', 'de'] as const)('is not on a page in %s', (language) => {
    expect(stored).toEqual(expect.arrayContaining(['nothing explains it', "a shell's delight $(id)"]));
    const page = pagesIn(language).replaceAll('&#39;', "'");
    expect(stored.filter((sentence) => sentence.includes(' ') && page.includes(sentence))).toEqual([]);
    expect(page).not.toContain('<span lang=');
  });
});

test('a count has the separator of its language, and an amount its decimal sign', () => {
  expect([...textsOf(pagesIn('en'))].some((text) => text.includes('4,321'))).toBe(true);
  for (const language of ['es', 'de'] as const) {
    const text = [...textsOf(pagesIn(language))].join('\n');
    expect(text).toContain('4.321');
    expect(text.match(/\d,\d{3}(?!\d)/g)).toBe(null);
    expect(pagesIn(language).match(/<span class="n">[^<]*\.\d/g)).toBe(null);
  }
});

/** Two words beside each other, or a capitalised one alone: what a person reads, not a key. */
const SENTENCE = /\p{L}{2,}[,;:]? \p{L}{2,}|^\s*\p{Lu}\p{Ll}+\s*$/u;

const partsOf = ({ quasis }: Node): string[] =>
  (quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked);

/** What looks like a sentence and is a key: of a phrase, a vocabulary or a word, or a word as it is stored. */
const KEYS: ReadonlySet<string> = new Set([
  ...readCsvFile('src/export/page/phrases.csv', ['key', ...LANGUAGES]).map(({ cells }) => cells.key),
  ...readCsvFile('src/export/reports/words.csv', ['vocabulary', 'word', ...LANGUAGES]).flatMap(
    ({ cells: { vocabulary, word } }) => [vocabulary, word],
  ),
  'own wallet',
  'other, person',
  'other, company',
  'expenses:rounding, rounding_value',
]);

const isCommand = ({ type, callee }: Node): boolean =>
  type === 'CallExpression' && /^command(?:Of|Text)$/.test((callee as { name?: string }).name ?? '');

/** Literals outside of errors and commands, and templates of markup without their tags. */
const sentencesIn = (source: Source): string[] => {
  const others = source.nodes.filter(
    (node) => node.type === 'NewExpression' || node.type === 'ImportDeclaration' || isCommand(node),
  );
  const markup = source.nodes.filter(
    ({ type, tag }) => type === 'TaggedTemplateExpression' && (tag as { name?: string }).name === 'html',
  );
  const isIn = (outer: readonly Node[], { start, end }: Node) =>
    outer.some((other) => other.start <= start && end <= other.end);
  return source.nodes
    .filter((node) => !isIn(others, node))
    .flatMap((node) => {
      if (node.type === 'Literal' && typeof node.value === 'string') return [[node, node.value] as const];
      if (node.type !== 'TemplateLiteral') return [];
      const text = partsOf(node).join('¤');
      return [[node, isIn(markup, node) || text.includes('<') ? withoutTags(text) : text] as const];
    })
    .filter(([, text]) => !KEYS.has(text) && text.split(/[\n¤]/).some((part) => SENTENCE.test(part)))
    .map(([node, text]) => `${placeOf(source, node)} ${text.slice(0, 60)}`);
};

const withoutTags = (text: string): string =>
  text
    .replace(/<meta [^>]*>/g, '')
    .replace(/ (?:aria-label|title)="([^"¤]+)"/g, '>\n$1\n<')
    .replace(/<[^>]*>/g, '\n');

describe('no source of the page has a sentence of its own', () => {
  /** The look, the statements that a reader pastes, and the policy of the page. */
  const CODE = ['style.ts', 'query.ts'].map((name) => `src/export/page/${name}`);

  test('src/export/page', () => {
    const sources = sourcesIn('src/export/page').filter(({ path }) => !CODE.includes(path));
    expect(sources.length).toBeGreaterThan(20);
    expect(sources.flatMap(sentencesIn)).toEqual([]);
  });

  test.each([
    "const a = 'No open breaks.';",
    'const a = html`<p>No open breaks</p>`;',
    'const a = html`<section aria-label="On this page"></section>`;',
    'const a = html`<h2>Breaks</h2>`;',
    "const a = text('Age');",
    'const a = `and more breaks in all`;',
  ])('the test finds %s', (code) => {
    expect(sentencesIn(sourceOf('a.ts', code))).toHaveLength(1);
  });

  test('sql/page', () => {
    const literals = sqlPaths('page').flatMap((path) =>
      [
        ...textOf(`sql/${path}`)
          .replace(/--.*/g, '')
          .matchAll(/'((?:[^']|'')*)'/g),
      ].map(([, text]) => text ?? ''),
    );
    expect(literals.length).toBeGreaterThan(50);
    expect(literals.filter((text) => /\p{L}+ \p{L}+ \p{L}+|^\p{Lu}\p{Ll}+/u.test(text))).toEqual([]);
  });
});
