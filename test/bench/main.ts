// `npm run bench [-- --budget | --quiet | --as-of | --reconcile | --values | --pack | --journals | --memory | --landing |
// --first-night | --ordinary | --workers]`: ratios against a limit measured in the same run; `--records N` sets the size of a landing or a first
// night, `--rpm N` the budget of the latter, `--oldest` measures on the oldest PostgreSQL that we support. `--budget` adds the two
// minutes that the request budget needs; `--as-of` builds ten million postings, `--reconcile` histories of up to as many: each takes
// minutes and gigabytes, and measures nothing else; `--values` derives the values of a million entries, `--pack` writes the files of a
// month of histories up to 100,000 entries (--records N for another size), `--journals` writes journals of the same and has them read
// by the programs that they are for, `--memory` states the peak of each command's memory over histories of up to a million, `--quiet`
// counts the requests of quiet nights over fifty entities, with and without a listener, `--workers` shares a night of `--entities N`,
// and a first night may have as many; `--ordinary` compares nights with the same new records after a short and a long history.
import { parseArgs } from 'node:util';
import { UsageError } from '../../src/base/errors.ts';
import { asOf } from './as-of.ts';
import { budget } from './budget.ts';
import type { Figure } from './figure.ts';
import { firstNight } from './first-night.ts';
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

const show = ({ what, figure, limit, isKept }: Figure): void => {
  process.stdout.write(`${isKept ? 'ok  ' : 'OVER'}  ${what}: ${figure} (${limit})\n`);
};

/** An option that is a number above zero; nothing if it is not given. */
const numberIn = <N extends string>(name: N, text: string | undefined): { readonly [K in N]?: number } => {
  if (text === undefined) return {};
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError(`--${name} ${text} is not a number above zero`);
  return { [name]: Number(text) } as { readonly [K in N]: number };
};

const main = async (): Promise<number> => {
  const flag = { type: 'boolean', default: false } as const;
  const { values } = parseArgs({
    options: {
      budget: flag,
      quiet: flag,
      'as-of': flag,
      reconcile: flag,
      values: flag,
      pack: flag,
      journals: flag,
      memory: flag,
      landing: flag,
      workers: flag,
      ordinary: flag,
      entities: { type: 'string' },
      oldest: flag,
      'first-night': flag,
      records: { type: 'string' },
      rpm: { type: 'string' },
    },
  });
  const server = values.oldest ? 'oldest' : 'embedded';
  const records = numberIn('records', values.records);
  const rpm = numberIn('rpm', values.rpm);
  const entities = numberIn('entities', values.entities);
  const measureLanding = () => landing({ server, ...records });
  const usual = [backfill, dense, quiet, measureLanding, ...(values.budget ? [budget] : [])];
  const figures: Figure[] = [];
  const long = [
    ...(values.quiet ? [() => quietNights()] : []),
    ...(values.workers ? [() => sharedNight({ ...entities, ...rpm })] : []),
    ...(values['as-of'] ? [asOf] : []),
    ...(values.reconcile ? [reconciling] : []),
    ...(values.values ? [() => valueLayer({ server, ...records })] : []),
    ...(values.pack ? [() => pack({ server, ...records })] : []),
    ...(values.journals ? [() => journals({ server, ...records })] : []),
    ...(values.memory ? [() => memory({ server, ...records })] : []),
    ...(values['first-night'] ? [() => firstNight({ ...records, ...rpm, ...entities })] : []),
    ...(values.ordinary ? [() => ordinaryNights({ ...records, ...entities })] : []),
    ...(values.landing ? [measureLanding] : []),
  ];
  for (const measure of long.length > 0 ? long : usual) {
    for (const figure of await measure()) {
      figures.push(figure);
      show(figure);
    }
  }
  return figures.every(({ isKept }) => isKept) ? 0 : 1;
};

/** What the caller typed wrongly; parseArgs names the option, and the head of this file lists all. */
const isUsage = (error: unknown): error is Error =>
  error instanceof UsageError ||
  (error instanceof Error && 'code' in error && `${error.code}`.startsWith('ERR_PARSE_ARGS_'));

try {
  process.exitCode = await main();
} catch (error) {
  if (!isUsage(error)) throw error;
  process.stderr.write(`${error.message}: the head of test/bench/main.ts lists the options\n`);
  process.exitCode = 2;
}
