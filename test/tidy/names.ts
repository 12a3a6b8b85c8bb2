// The house rules on names: words without meaning, and types that share a name.
import { type Node, type Source, targetOf } from './source.ts';

/** Words that do not describe a value. */
const EMPTY = new Set('it its at of told said asked kept held given named looked'.split(' '));

const FUNCTIONS = ['ArrowFunctionExpression', 'FunctionDeclaration', 'FunctionExpression'];

type Part = Node | null | undefined;

/** The identifiers that a pattern declares: `{ at: instant, ...rest }` declares instant and rest. */
const declaredBy = (pattern: Part): Node[] => {
  if (!pattern) return [];
  if (pattern.type === 'Identifier') return [pattern];
  const parts = [pattern.properties, pattern.elements].flat() as Part[];
  return [...parts, pattern.value, pattern.left, pattern.argument].flatMap((part) =>
    declaredBy(part as Part),
  );
};

/** `(it) => it.id`: an arrow function on one line, with one parameter. */
const isShortArrow = ({ text }: Source, node: Node): boolean =>
  node.type === 'ArrowFunctionExpression' &&
  (node.params as Node[]).length === 1 &&
  !text.slice(node.start, node.end).includes('\n');

const declarationsOf = (source: Source, node: Node): Node[] => {
  if (node.type === 'VariableDeclarator') return declaredBy(node.id as Part);
  if (node.type === 'CatchClause') return declaredBy(node.param as Part);
  if (!FUNCTIONS.includes(node.type)) return [];
  const parameters = (node.params as Part[]).flatMap(declaredBy);
  const names = [...declaredBy(node.id as Part), ...parameters];
  return isShortArrow(source, node) ? names.filter(({ name }) => name !== 'it') : names;
};

/** Values with a meaningless name: the name and its place. */
export const emptyNames = (source: Source): { name: string; node: Node }[] =>
  source.nodes
    .flatMap((node) => declarationsOf(source, node))
    .map((node) => ({ name: String(node.name), node }))
    .filter(({ name }) => EMPTY.has(name));

const TYPES = ['TSTypeAliasDeclaration', 'TSInterfaceDeclaration'];

/** Type names that more than two files declare, with these files. */
export const sharedTypes = (sources: readonly Source[]): [string, string[]][] => {
  const files = new Map<string, Set<string>>();
  for (const { path, nodes } of sources)
    for (const node of nodes.filter(({ type }) => TYPES.includes(type))) {
      const name = String((node.id as Node).name);
      files.set(name, (files.get(name) ?? new Set()).add(path));
    }
  return [...files].flatMap(([name, paths]) => (paths.size > 2 ? [[name, [...paths]]] : []));
};

const namesIn = (node: Node): string[] => {
  const declaration = node.declaration as Part;
  const declared = declaration ? [declaration, ...((declaration.declarations ?? []) as Node[])] : [];
  const exported = ((node.specifiers ?? []) as Node[]).map(({ exported: name }) => name as Node);
  return [...declared.map(({ id }) => id as Part), ...exported].flatMap((id) =>
    id?.name ? [`${id.name}`] : [],
  );
};

/** The names that a node takes from another file; `*` for all of them. */
const takenBy = ({ type, specifiers }: Node): string[] =>
  type === 'ImportExpression'
    ? ['*']
    : ((specifiers ?? []) as Node[]).map(({ imported, local }) => {
        const name = (type === 'ImportDeclaration' ? imported : local) as Part;
        return name ? `${name.name}` : '*';
      });

/** Exports that no other file imports: `path name`. */
export const unusedExports = (sources: readonly Source[]): string[] => {
  const taken = new Set(
    sources.flatMap(({ path, nodes }) =>
      nodes.flatMap((node) => {
        const from = (node.source as { value?: unknown } | null)?.value;
        if (typeof from !== 'string' || !from.startsWith('.')) return [];
        return takenBy(node).map((name) => `${targetOf(path, from)} ${name}`);
      }),
    ),
  );
  const written = sources.filter(({ path }) => path !== 'src/database/db-types.ts'); // generated
  return written.flatMap(({ path, nodes }) =>
    nodes
      .filter(({ type }) => type === 'ExportNamedDeclaration')
      .flatMap(namesIn)
      .map((name) => `${path} ${name}`)
      .filter((name) => !taken.has(name) && !taken.has(`${path} *`)),
  );
};
