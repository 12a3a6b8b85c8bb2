// Patterns: none is built from a value. A currency named `*` or `%` is text, whatever its source.

/** An operator that takes a pattern, followed by anything but one whole literal. */
const OPERATOR = String.raw`(?:\bi?like|\bsimilar\s+to|\s!?~\*?)\s+`;
const IN_CODE = new RegExp(String.raw`${OPERATOR}\(?\s*(?:'[^'\x60]*'\s*\|\|\s*)?\$\{`, 'i');
const IN_SQL = new RegExp(String.raw`${OPERATOR}(?:[^'\s]|'[^']*'\s*\|\|)`, 'i');

/** Functions of Postgres whose second argument is a pattern, or whose first is a template. */
const FUNCTION = /\bregexp_\w+\s*\([^,]+,\s*[^'\s]|\bformat\s*\(\s*[^'\s)]/i;

const lines = (path: string, text: string, isWrong: (line: string) => boolean): string[] =>
  text.split('\n').flatMap((line, index) => (isWrong(line) ? [`${path}:${index + 1}`] : []));

/** Lines of a TypeScript file whose SQL uses a value as a pattern. */
export const patternsInCode = (path: string, text: string): string[] =>
  lines(path, text, (line) => IN_CODE.test(line));

/** Lines of an SQL file that use anything but a literal as a pattern or a template. */
export const patternsInSql = (path: string, text: string): string[] =>
  lines(
    path,
    text.replaceAll(/--.*$/gm, '').replaceAll(/'[^'\n]*'/g, "''"),
    (line) => IN_SQL.test(line) || FUNCTION.test(line),
  );
