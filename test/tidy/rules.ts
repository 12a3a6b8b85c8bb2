// The house rules on one file at a time: each has its reason, and an example that breaks it.
import { emptyAliasesInCode } from './aliases.ts';
import { doors, explicit, left, oneDoor } from './imports.ts';
import { lineOf, type Node, placeOf, type Source } from './source.ts';
import { BANNED } from './tables.ts';

type Rule = {
  readonly name: string;
  readonly why: string;
  /** A file that breaks it: its path and its text. */
  readonly broken: readonly [string, string];
  /** The faults, one line each. */
  readonly find: (source: Source) => string[];
};

const inCode = (path: string): boolean => /^(src|jobs)\//.test(path);

/** A node as a word: `Date.now`, `new Date`, `any`. */
const wordOf = (node: Node): string => {
  const name = (part: unknown) => String((part as { name?: unknown } | null)?.name ?? '');
  if (node.type === 'MemberExpression') return `${name(node.object)}.${name(node.property)}`;
  if (node.type === 'NewExpression') return `new ${name(node.callee)}`;
  if (node.type === 'Identifier') return RESERVED.has(name(node)) ? '' : name(node); // a field may be called class
  if (node.type === 'ClassDeclaration') return name(node.superClass).endsWith('Error') ? '' : 'class';
  return KEYWORDS[node.type] ?? '';
};

const KEYWORDS: Readonly<Record<string, string>> = {
  TSAnyKeyword: 'any',
  TSEnumDeclaration: 'enum',
  ExportDefaultDeclaration: 'export default',
  TSModuleDeclaration: 'namespace',
  ExportAllDeclaration: 'export *',
};

const RESERVED = new Set(['class', ...Object.values(KEYWORDS)]);

const banned = (word: string, allowed: readonly RegExp[], source: Source): string[] => {
  if (!inCode(source.path) || allowed.some((path) => path.test(source.path))) return [];
  const [head, tail] = word.split('.');
  return source.nodes
    .filter((node) => wordOf(node) === word || (tail === '*' && wordOf(node).startsWith(`${head}.`)))
    .filter((node) => word !== 'Number' || !isMember(source, node))
    .map((node) => placeOf(source, node));
};

/** `Number.isNaN` and similar only test, they do not convert. */
const isMember = (source: Source, node: Node): boolean => source.text[node.end] === '.';

const LATER = ['TO', 'FIX', 'XX', 'HA'].map((start, i) => start + ['DO', 'ME', 'X', 'CK'][i]).join('|');
const IGNORED = '@ts-(ignore|expect-error|nocheck)';

const words =
  (pattern: string) =>
  (source: Source): string[] =>
    [...source.text.matchAll(new RegExp(pattern, 'g'))].map(
      (it) => `${source.path}:${lineOf(source, it.index)} ${it[0]}`,
    );

const LINES_MAX = 250;
const FUNCTION_MAX = 50;
/** Three positional ones and an options object. */
const PARAMETERS_MAX = 4;
const SQL_MAX = 15;
const GENERATED = 'src/database/db-types.ts';

const FUNCTIONS = ['ArrowFunctionExpression', 'FunctionDeclaration', 'FunctionExpression'];

const LITERALS = ['ObjectExpression', 'ArrayExpression', 'TemplateElement'];

/** Lines of a part; the lines of a literal (data, SQL) count as one, unless it contains functions. */
const lengthOf = (source: Source, { start, end }: Pick<Node, 'start' | 'end'>): number => {
  const lines = (node: Pick<Node, 'start' | 'end'>) => lineOf(source, node.end) - lineOf(source, node.start);
  const inside = source.nodes.filter((node) => node.start > start && node.end < end);
  const functions = inside.filter(({ type }) => FUNCTIONS.includes(type));
  const isWithin = (outer: Node) => (inner: Node) => inner.start > outer.start && inner.end <= outer.end;
  const literals = inside.filter((node) => LITERALS.includes(node.type) && !functions.some(isWithin(node)));
  const outermost = literals.filter((node) => !literals.some((outer) => isWithin(outer)(node)));
  return lines({ start, end }) + 1 - outermost.map(lines).reduce((a, b) => a + b, 0);
};

/** An expression without its parentheses and `as const`. */
const bare = (node: Node): Node =>
  ['ParenthesizedExpression', 'TSAsExpression'].includes(node.type) ? bare(node.expression as Node) : node;

/** A literal inside another of its kind: written to put several entries on a line. */
const packed = (source: Source): string[] =>
  source.nodes
    .filter(({ type }) => ['ObjectExpression', 'ArrayExpression'].includes(type))
    .flatMap((outer) =>
      ((outer.properties ?? outer.elements) as (Node | null)[])
        .filter((part) => part?.type === 'SpreadElement' && bare(part.argument as Node).type === outer.type)
        .map((part) => placeOf(source, part as Node)),
    );

const long = (source: Source): string[] =>
  inCode(source.path)
    ? source.nodes
        .filter((node) => FUNCTIONS.includes(node.type) && lengthOf(source, node) > FUNCTION_MAX)
        .map((node) => `${placeOf(source, node)} has ${lengthOf(source, node)} lines`)
    : [];

/** A template that begins as SQL does. */
const longSql = (source: Source): string[] =>
  inCode(source.path)
    ? source.nodes
        .filter(({ type, start }) => type === 'TemplateLiteral' && SQL_START.test(source.text.slice(start)))
        .filter((node) => lineOf(source, node.end) - lineOf(source, node.start) > SQL_MAX)
        .map((node) => placeOf(source, node))
    : [];

const SQL_START = /^`\s*(?:--.*\s+)*(?:with|select|insert|update|delete|merge|create|alter|do)\b/i;

const wide = (source: Source): string[] =>
  inCode(source.path)
    ? source.nodes
        .filter((node) => FUNCTIONS.includes(node.type) && (node.params as unknown[]).length > PARAMETERS_MAX)
        .map((node) => placeOf(source, node))
    : [];

const tall = (source: Source): string[] => {
  const lines = lengthOf(source, { start: 0, end: source.text.length + 1 }) - 1;
  return lines > LINES_MAX && source.path !== GENERATED ? [`${source.path} has ${lines} lines`] : [];
};

const VAGUE = /(^|\/)(utils?|helpers?|common|misc|index|types)\.ts$/;

const misnamed = ({ path }: Source): string[] =>
  !/^[a-z0-9-]+(\.(test|check|config))?\.ts$/.test(path.split('/').at(-1) ?? '') || VAGUE.test(path)
    ? [path]
    : [];

const opened = ({ path, text }: Source): string[] =>
  inCode(path) && !/^(#!.*\n)?(\/\/ \S|\/\*\*)/.test(text) ? [path] : [];

const deep = ({ path }: Source): string[] => {
  const allowed = path.startsWith('jobs/') ? 2 : 4;
  return inCode(path) && path.split('/').length > allowed ? [path] : [];
};

/** Workers cache modules, so a helper's own hooks would belong to the first test file only. */
const hooked = ({ path, text }: Source): string[] =>
  path.startsWith('test/') && !/\.(test|check)\.ts$/.test(path) && /^(before|after)(Each|All)\(/m.test(text)
    ? [path]
    : [];

const filler = (lines: number) => `// A file.\n${'\n'.repeat(lines)}`;

const SHAPE: readonly Rule[] = [
  {
    name: 'imports go left',
    why: 'a room that knows its readers cannot be replayed without them',
    broken: ['src/ledger/a.ts', "import '../normalize/rules.ts';"],
    find: left,
  },
  {
    name: 'a file lies in a room',
    why: 'what lies in none belongs to nobody',
    broken: ['src/a.ts', ''],
    find: ({ path }) => (/^src\/[^/]+$/.test(path) ? [path] : []),
  },
  {
    name: 'outsiders import the door of a room, or a type',
    why: 'the rest of the room stays free to change',
    broken: ['jobs/a.ts', "import { bars } from '../src/gateway/budget.ts';"],
    find: doors,
  },
  {
    name: 'one package, one door',
    why: 'a package that is everywhere cannot be replaced, nor its traps kept in one place',
    broken: ['src/export/a.ts', "import { Decimal } from 'decimal.js';"],
    find: oneDoor,
  },
  {
    name: 'imports say .ts',
    why: 'what node and the compiler read is the same file',
    broken: ['src/a.ts', "import './b.js';"],
    find: explicit,
  },
  {
    name: 'nothing for later',
    why: 'a rule either fails the build or does not exist',
    broken: ['src/a.ts', `// ${LATER.slice(0, 4)}: later`],
    find: words(`\\b(${LATER})\\b`),
  },
  {
    name: 'the compiler is not silenced',
    why: 'say the type that it is',
    broken: ['src/a.ts', `// ${'@ts'}-ignore`],
    find: words(IGNORED),
  },
  {
    name: `a file has at most ${LINES_MAX} lines`,
    why: 'it is two files',
    broken: ['src/a.ts', filler(LINES_MAX)],
    find: tall,
  },
  {
    name: `a function has at most ${FUNCTION_MAX} lines`,
    why: 'it is two functions',
    broken: ['src/a.ts', `const a = () => {${'\n'.repeat(FUNCTION_MAX)}};`],
    find: long,
  },
  {
    name: `SQL of more than ${SQL_MAX} lines is a file under sql/`,
    why: 'psql runs a file, with its header and its parameters: readRows of src/database/sql.ts',
    broken: ['src/a.ts', `const a = sql\`${'\n'.repeat(SQL_MAX)} select 1\n\`;`],
    find: longSql,
  },
  {
    name: 'an alias in SQL says what it contains',
    why: 'the words that name no value in TypeScript name no column or table either',
    broken: ['src/a.ts', 'const a = sql`select b as at`;'],
    find: (source) => (inCode(source.path) ? emptyAliasesInCode(source) : []),
  },
  {
    name: 'no literal is spread into another of its kind',
    why: 'lines of a literal do not count: write its entries one by one',
    broken: ['src/a.ts', "const a = ['b', ...(['c', 'd'] as const)];"],
    find: packed,
  },
  {
    name: `at most ${PARAMETERS_MAX} parameters`,
    why: 'take an options object: a call tells which is which',
    broken: ['src/a.ts', 'const a = (b: 1, c: 2, d: 3, e: 4, f: 5) => b;'],
    find: wide,
  },
  {
    name: 'files are kebab-case nouns',
    why: 'a file called after nothing gathers everything',
    broken: ['src/land/utils.ts', ''],
    find: misnamed,
  },
  {
    name: 'a file opens with what it owns',
    why: 'a reader learns in one line whether this is the place',
    broken: ['src/a.ts', 'export const a = 1;'],
    find: opened,
  },
  {
    name: 'a helper of tests calls hooks only when it is called',
    why: 'it is loaded once for many files, and hooks are of the file that runs',
    broken: ['test/a.ts', 'afterAll(() => {});'],
    find: hooked,
  },
  {
    name: 'one folder level under a room',
    why: 'a room that needs rooms is two',
    broken: ['src/land/deep/down/a.ts', ''],
    find: deep,
  },
];

const WORDS = BANNED.map(
  ({ word, why, instead, allowed, broken }): Rule => ({
    name: `no ${word}`,
    why: `${why}: ${instead}`,
    broken: ['src/export/a.ts', broken],
    find: (source) => banned(word, allowed, source),
  }),
);

export const RULES: readonly Rule[] = [...SHAPE, ...WORDS];
