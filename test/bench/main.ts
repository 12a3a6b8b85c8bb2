// `npm run bench`: what the product does beside a limit measured in the same run. Without an option: the requests of a backfill and of a
// quiet night, and landing with booking. With options: what they name, in the order of MEASURES; `--all` is everything, for hours.
//   --records N   the size of a history, a landing or a first night
//   --entities N  how many entities share a first night, an ordinary night or the night of --workers
//   --rpm N       the request budget of a first night and of --workers
//   --oldest      on the oldest PostgreSQL that we support, where a measure has a choice
import { parseArgs } from 'node:util';
import { UsageError } from '../../src/base/errors.ts';
import { asOf } from './as-of.ts';
import { budget } from './budget.ts';
import type { Figure } from './figure.ts';
import { firstNight } from './first-night.ts';
import type { BenchOptions } from './history.ts';
import { journals } from './journals.ts';
import { landing } from './landing.ts';
import { quietNights } from './listening.ts';
import { memory } from './memory.ts';
import { ordinaryNights } from './ordinary.ts';
import { pack } from './pack.ts';
import { reconciling } from './reconcile.ts';
import { backfill, dense, quiet } from './requests.ts';
import { values as valueLayer } from './values.ts';
import { sharedNight } from './workers.ts';

type Options = BenchOptions & { readonly rpm?: number; readonly entities?: number };

type Measure = (options: Options) => Promise<Figure[]>;

const MEASURES = {
  /** The requests of a backfill, of a dense one and of a quiet night. */
  requests: async () => [...(await backfill()), ...(await dense()), ...(await quiet())],
  /** Landing and booking beside COPY, reading a page beside JSON.parse. */
  landing,
  /** The two minutes that the request budget needs. */
  budget: () => budget(),
  /** The requests of quiet nights over fifty entities, with and without a listener. */
  quiet: () => quietNights(),
  /** A night with the same new records after a short and after a long history. */
  ordinary: ordinaryNights,
  'first-night': firstNight,
  /** A night that several workers share, beside one process. */
  workers: sharedNight,
  /** The values of up to a million entries. */
  values: valueLayer,
  /** The files of a month. */
  pack,
  /** Journals of a month, read by the programs that they are for. */
  journals,
  /** The balances of any instant over ten million postings: minutes, and gigabytes. */
  'as-of': () => asOf(),
  /** Tie-outs over histories of as many. */
  reconcile: () => reconciling(),
  /** The peak of memory of each command, over histories of up to a million entries. */
  memory,
} satisfies Record<string, Measure>;

type MeasureName = keyof typeof MEASURES;

const NAMES = Object.keys(MEASURES) as MeasureName[];
const USUAL: readonly MeasureName[] = ['requests', 'landing'];

const show = ({ what, figure, limit, isKept }: Figure): void => {
  process.stdout.write(`${isKept ? 'ok  ' : 'OVER'}  ${what}: ${figure} (${limit})\n`);
};

/** An option that is a number above zero; nothing if it is not given. */
const numberIn = <N extends string>(name: N, text: string | undefined): { readonly [K in N]?: number } => {
  if (text === undefined) return {};
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError(`--${name} ${text} is not a number above zero`);
  return { [name]: Number(text) } as { readonly [K in N]: number };
};

const FLAG = { type: 'boolean', default: false } as const;
const TEXT = { type: 'string' } as const;

/** The measures that the command line names, and their options. */
const commandLine = (): { readonly names: readonly MeasureName[]; readonly options: Options } => {
  const flags = Object.fromEntries(NAMES.map((name) => [name, FLAG])) as Record<MeasureName, typeof FLAG>;
  const { values } = parseArgs({
    options: { ...flags, all: FLAG, oldest: FLAG, records: TEXT, rpm: TEXT, entities: TEXT },
  });
  const chosenNames = NAMES.filter((name) => values.all || values[name]);
  return {
    names: chosenNames.length > 0 ? chosenNames : USUAL,
    options: {
      server: values.oldest ? 'oldest' : 'embedded',
      ...numberIn('records', values.records),
      ...numberIn('rpm', values.rpm),
      ...numberIn('entities', values.entities),
    },
  };
};

const main = async (): Promise<number> => {
  const { names, options } = commandLine();
  const figures: Figure[] = [];
  for (const name of names)
    for (const figure of await MEASURES[name](options)) {
      figures.push(figure);
      show(figure);
    }
  return figures.every(({ isKept }) => isKept) ? 0 : 1;
};

/** What the caller typed wrongly; parseArgs names the option, and this file has them all. */
const isUsage = (error: unknown): error is Error =>
  error instanceof UsageError ||
  (error instanceof Error && 'code' in error && `${error.code}`.startsWith('ERR_PARSE_ARGS_'));

try {
  process.exitCode = await main();
} catch (error) {
  if (!isUsage(error)) throw error;
  process.stderr.write(`${error.message}: test/bench/main.ts lists the options\n`);
  process.exitCode = 2;
}
