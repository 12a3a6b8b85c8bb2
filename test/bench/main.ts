// `npm run bench [-- --budget | --quiet | --as-of | --reconcile | --values | --pack]`: ratios against a limit measured in the
// same run. `--budget` adds the two minutes that the request budget needs; `--as-of`
// builds ten million postings, `--reconcile` histories of up to as many: each takes minutes and gigabytes, and measures
// nothing else; `--values` derives the values of a million, `--pack` writes every file of as many,
// `--quiet` counts the requests of quiet nights over fifty entities, with and without a listener.
import { parseArgs } from 'node:util';
import { asOf } from './as-of.ts';
import { booking } from './booking.ts';
import { budget } from './budget.ts';
import type { Figure } from './figure.ts';
import { landing } from './landing.ts';
import { quietNights } from './listening.ts';
import { pack } from './pack.ts';
import { reconciling } from './reconcile.ts';
import { backfill, dense, quiet } from './requests.ts';
import { values as valueLayer } from './values.ts';

const show = ({ what, figure, limit, isKept }: Figure): void => {
  process.stdout.write(`${isKept ? 'ok  ' : 'OVER'}  ${what}: ${figure} (${limit})\n`);
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
      landing: flag,
      oldest: flag,
      records: { type: 'string' },
    },
  });
  const server = values.oldest ? 'oldest' : 'embedded';
  const records = values.records === undefined ? {} : { records: Number(values.records) };
  const usual = [backfill, dense, quiet, booking, ...(values.budget ? [budget] : [])];
  const figures: Figure[] = [];
  const long = [
    ...(values.quiet ? [() => quietNights()] : []),
    ...(values['as-of'] ? [asOf] : []),
    ...(values.reconcile ? [reconciling] : []),
    ...(values.values ? [valueLayer] : []),
    ...(values.pack ? [pack] : []),
    ...(values.landing ? [() => landing({ server, ...records })] : []),
  ];
  for (const measure of long.length > 0 ? long : usual) {
    for (const figure of await measure()) {
      figures.push(figure);
      show(figure);
    }
  }
  return figures.every(({ isKept }) => isKept) ? 0 : 1;
};

process.exitCode = await main();
