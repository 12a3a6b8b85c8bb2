// Every message that a user can meet, taken from the sources: the texts of our errors, and of the findings, notes, reasons
// and summaries that commands print.
import type { Node, Source } from '../tidy/source.ts';

/** commander's own, whose text it prints. All others are classes of our sources. */
const FOREIGN_ERROR = 'InvalidArgumentError';

/** Names whose value a user reads: properties of findings and proofs, and variables that hold such a text. */
const SHOWN = [
  'detail',
  'summary',
  'reason',
  'why',
  'advice',
  'hint',
  'refusal',
  'caution',
  'cost',
  'first',
  'says',
  'unexamined',
];

const HOLE = '…';
const ALTERNATIVES_MAX = 8;

type Texts = readonly string[];

const joined = (parts: readonly Texts[]): Texts =>
  parts
    .reduce<Texts>((heads, tails) => heads.flatMap((head) => tails.map((tail) => head + tail)), [''])
    .slice(0, ALTERNATIVES_MAX);

const child = (node: Node, part: string): Node => node[part] as Node;
const children = (node: Node, part: string): Node[] => node[part] as Node[];

const templateTexts = (node: Node, consts: Constants): Texts => {
  const holes = children(node, 'expressions').map((hole) => textsOf(hole, consts));
  return joined(
    children(node, 'quasis').flatMap((quasi, index) => [
      [(quasi.value as unknown as { cooked: string }).cooked],
      ...(index < holes.length ? [holes[index] ?? [HOLE]] : []),
    ]),
  );
};

/** The texts that an expression can have; parts known only at run time are shown as `…`. */
const textsOf = (node: Node, consts: Constants): Texts => {
  if (node.type === 'Literal') return [typeof node.value === 'string' ? node.value : HOLE];
  if (node.type === 'TemplateLiteral') return templateTexts(node, consts);
  if (node.type === 'BinaryExpression' && node.operator === '+')
    return joined([textsOf(child(node, 'left'), consts), textsOf(child(node, 'right'), consts)]);
  if (node.type === 'ConditionalExpression')
    return [...textsOf(child(node, 'consequent'), consts), ...textsOf(child(node, 'alternate'), consts)];
  if (node.type === 'Identifier') return consts.get(String(node.name)) ?? [HOLE];
  if (node.type === 'ArrowFunctionExpression') return textsOf(child(node, 'body'), consts);
  return [HOLE];
};

type Constants = ReadonlyMap<string, Texts>;

const declared = (nodes: readonly Node[], name: string): Node[] =>
  nodes.filter(({ type, id, init }) => type === 'VariableDeclarator' && init && (id as Node).name === name);

/** Constants of a file that hold a text and are declared once. */
const constantsOf = (nodes: readonly Node[]): Constants => {
  const consts = new Map<string, Texts>();
  const names = nodes.flatMap(({ type, id }) =>
    type === 'VariableDeclarator' && (id as Node).type === 'Identifier' ? [String((id as Node).name)] : [],
  );
  for (const name of new Set(names)) {
    const [only, ...others] = declared(nodes, name);
    if (!only || others.length > 0) continue;
    const init = child(only, 'init');
    if (['Literal', 'TemplateLiteral', 'BinaryExpression', 'ConditionalExpression'].includes(init.type))
      consts.set(name, textsOf(init, new Map()));
  }
  return consts;
};

const keyOf = (node: Node): string => String((node.key as Node).name ?? (node.key as Node).value);

/** The classes of the sources: only errors are classes. */
export const errorsIn = (sources: readonly Source[]): string[] =>
  sources.flatMap(({ nodes }) =>
    nodes.flatMap((node) => (node.type === 'ClassDeclaration' ? [String(child(node, 'id').name)] : [])),
  );

/** Whether an error gets its text here: as it is made, or in its own constructor. */
const makesError = (node: Node, errors: readonly string[]): boolean => {
  if (node.type === 'CallExpression') return child(node, 'callee').type === 'Super';
  return (
    node.type === 'NewExpression' && [...errors, FOREIGN_ERROR].includes(String(child(node, 'callee').name))
  );
};

/** The expressions of a file whose text a user reads. */
const shownIn = (node: Node, errors: readonly string[]): Node[] => {
  if (makesError(node, errors)) return children(node, 'arguments');
  if (node.type === 'Property' && SHOWN.includes(keyOf(node))) return [child(node, 'value')];
  const isNamed = node.type === 'VariableDeclarator' && SHOWN.includes(String(child(node, 'id').name));
  return isNamed && node.init ? [child(node, 'init')] : [];
};

/** A message has words: it is neither a bare value nor a single word of the program. */
const isMessage = (text: string): boolean => /[a-z]{2,}.* /i.test(text.replaceAll(HOLE, ''));

/** The messages of a source, each once; `errors` are the classes of all sources. */
export const messagesIn = ({ nodes }: Source, errors: readonly string[]): string[] => {
  const consts = constantsOf(nodes);
  const texts = nodes.flatMap((node) => shownIn(node, errors)).flatMap((node) => textsOf(node, consts));
  return [...new Set(texts.filter(isMessage).map((text) => text.replaceAll('\n', ' ')))];
};
