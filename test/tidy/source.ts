// Sources as the house rules read them: text, comments, imports and functions, from a real parser.
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parseAst } from 'vitest/node';
import { packageRoot } from '../../src/base/root.ts';

/** A node of the syntax tree: its kind, its position, and its parts. */
export type Node = {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [part: string]: unknown;
};

type Import = { readonly from: string; readonly isType: boolean };
export type Source = {
  readonly path: string;
  readonly text: string;
  readonly nodes: readonly Node[];
  readonly imports: readonly Import[];
};

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

/** Adds every node below a value, each before its parts. */
const addNodes = (value: unknown, into: Node[]): Node[] => {
  if (Array.isArray(value)) for (const part of value) addNodes(part, into);
  else if (isNode(value)) {
    into.push(value);
    for (const part of Object.values(value)) if (typeof part === 'object') addNodes(part, into);
  }
  return into;
};

const IMPORTS = ['ImportDeclaration', 'ExportNamedDeclaration', 'ExportAllDeclaration', 'ImportExpression'];

const importOf = (node: Node): Import[] => {
  const from = (node.source as { value?: unknown } | null)?.value;
  if (!IMPORTS.includes(node.type) || typeof from !== 'string') return [];
  const specifiers = (node.specifiers ?? []) as { importKind?: string; exportKind?: string }[];
  const isEach =
    specifiers.length > 0 &&
    specifiers.every((specifier) => (specifier.importKind ?? specifier.exportKind) === 'type');
  return [{ from, isType: node.importKind === 'type' || node.exportKind === 'type' || isEach }];
};

/** Parses one source; a shebang is not syntax. */
export const sourceOf = (path: string, text: string): Source => {
  const code = text.replace(/^#!.*/, (line) => ' '.repeat(line.length));
  const nodes = addNodes(parseAst(code, { lang: 'ts' }), []);
  return { path, text, nodes, imports: nodes.flatMap(importOf) };
};

const OUTSIDE = new Set(['node_modules', 'dist', '.git', '.tieout', 'package-lock.json']);

/** Every file below a folder of the package, by path from its root. */
export const filesIn = (folder: string): string[] =>
  readdirSync(join(packageRoot, folder), { withFileTypes: true })
    .filter(({ name }) => !OUTSIDE.has(name))
    .flatMap((entry) => {
      const path = posix.join(folder, entry.name);
      return entry.isDirectory() ? filesIn(path) : [path];
    })
    .sort();

export const textOf = (path: string): string => readFileSync(join(packageRoot, path), 'utf8');

const parsed = new Map<string, readonly Source[]>();

/** Every source below a folder, parsed once for all test files of a process. */
export const sourcesIn = (folder: string): readonly Source[] => {
  const found =
    parsed.get(folder) ??
    filesIn(folder)
      .filter((path) => path.endsWith('.ts'))
      .map((path) => sourceOf(path, textOf(path)));
  parsed.set(folder, found);
  return found;
};

/** The room of a path: `gateway`, `cli`, `jobs` … or '' for a shared file of src. */
export const roomOf = (path: string): string => {
  const [top = '', next = '', deeper] = path.split('/');
  if (top === 'src') return deeper === undefined ? '' : next;
  return top;
};

/** The target of a relative import, from the root. */
export const targetOf = (path: string, from: string): string => posix.join(posix.dirname(path), from);

export const lineOf = ({ text }: Source, offset: number): number => text.slice(0, offset).split('\n').length;

/** `src/time.ts:5` */
export const placeOf = (source: Source, node: Node): string => `${source.path}:${lineOf(source, node.start)}`;
