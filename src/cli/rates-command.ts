// rates: official rates that a person hands in as a file.
import { Command } from 'commander';
import { decided } from '../../jobs/close.ts';
import { valueAll } from '../../jobs/values.ts';
import { importOfficial, readOfficial } from '../land/official.ts';
import { isoOf, nowMs } from '../time.ts';
import { said } from './decision.ts';
import { atDesk } from './desk.ts';
import { bookCommand, type Shared, settings, signed } from './options.ts';
import { print, printJson } from './print.ts';

const importCommand = (): Command =>
  signed(
    bookCommand(
      'import',
      'keep the official rates of a file in the form of the European Central Bank',
      'npx tieout rates import eurofxref-hist.csv --by "Ada Byron"',
    ).argument(
      '<file>',
      'Date,USD,JPY,… and a day a line: units of each currency for one euro, N/A where there is none',
    ),
  ).action(async (path: string, options: Shared & { readonly by: string }) => {
    const config = settings(options);
    const file = readOfficial(path);
    const signature = {
      entity: config.entity,
      by: said(options.by, '--by NAME: who hands it in'),
      at: isoOf(nowMs()),
    };
    let isNew = false;
    await atDesk(config, 'rates', async (work) => {
      isNew = await importOfficial(await work.as('preparer'), file, signature);
      await valueAll(work);
      return decided(0, `${file.rates.length} rates of ${file.name} ${isNew ? 'kept' : 'were kept before'}`);
    });
    const { name, sha256, days, missing } = file;
    const told = { file: name, sha256, source: 'ecb', days, rates: file.rates.length, missing, isNew };
    if (options.json) return printJson(told);
    const kept = isNew ? 'kept' : 'were kept before: nothing was added';
    return print(
      `${told.rates} rates of ${days} days in ${name} ${kept} (SHA-256 ${sha256}; ${missing} cells without a rate)`,
    );
  });

export const ratesCommand = (): Command =>
  new Command('rates')
    .description('official rates, which come before what the gateway tells')
    .addCommand(importCommand());
