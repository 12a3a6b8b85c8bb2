// verify ledger: recomputes the books from their rows, and with other programs from the journals exported for them.
import { type Command, InvalidArgumentError } from 'commander';
import { counted } from '../base/counted.ts';
import { JOURNAL_NAMES, type JournalName } from '../export/export.ts';
import { refuseOtherSettings, settingsOf, withBooks } from '../run/run.ts';
import type { Comparison } from '../verify/ledger/ledger.ts';
import type { Proof } from '../verify/proof.ts';
import {
  proveCatalogue,
  provePersonalFields,
  verifyLedger,
  verifyRows,
  verifySeals,
} from '../verify/verify.ts';
import { bookCommand, type Shared, settings } from './options.ts';
import { print, printJson, table } from './print.ts';

type LedgerOptions = Shared & { readonly with?: readonly JournalName[]; readonly root?: readonly string[] };

const isProgram = (name: string): name is JournalName => JOURNAL_NAMES.some((it) => it === name);

const programsIn = (text: string): readonly JournalName[] => {
  const names = [...new Set(text.split(',').map((name) => name.trim()))];
  return names.map((name) => {
    if (isProgram(name)) return name;
    throw new InvalidArgumentError(`choose from ${JOURNAL_NAMES.join(', ')}, separated by commas.`);
  });
};

export const verifyLedgerCommand = (): Command =>
  bookCommand(
    'ledger',
    'recompute the books from their rows, and with other accounting programs',
    'npx tieout verify ledger --with hledger,ledger,beancount',
  )
    .option(
      '--with <programs>',
      'comma-separated: hledger, ledger, beancount; each must be installed',
      programsIn,
    )
    .option(
      '--root <sha256...>',
      'roots or digests of seals stored elsewhere; each must still be in the books',
    )
    .action(async (options: LedgerOptions) => {
      const config = settings(options);
      const verified = await withBooks(config, async (database, _url, enter) => {
        const { timezone, currency, platformClass } = config;
        await refuseOtherSettings(database.db, settingsOf(config));
        const { pool } = database;
        const ledger = await verifyLedger({ pool, timezone, programs: options.with ?? [] });
        const seals = await verifySeals(database, options.root);
        const rows = await verifyRows(database.db, { timezone, currency, platformClass });
        const { url } = await enter('owner');
        const people = await provePersonalFields(url, config);
        const catalogue = await proveCatalogue(url, config);
        const proofs = [...ledger.proofs, ...rows, ...seals, people, catalogue];
        const holds = ledger.holds && proofs.every(({ faults }) => faults === '0');
        return { ...ledger, holds, proofs };
      });
      if (options.json) printJson(verified);
      else {
        print(proofTable(verified.proofs));
        if (verified.programs.length > 0)
          print(
            `\n${table(['program', 'accounts', 'differences', 'verdict'], verified.programs.map(programLine))}`,
          );
      }
      process.exitCode = verified.holds ? 0 : 1;
    });

export const proofTable = (proofs: readonly Proof[]): string =>
  table(['proof', 'checked', 'verdict'], proofs.map(proofLine));

const proofLine = (proof: Proof): string[] => [proof.proof, proof.checked, verdictOf(proof)];

const verdictOf = ({ faults, first, unexamined }: Proof): string => {
  if (unexamined !== undefined) return `not examined: ${unexamined}`;
  return first === null
    ? 'holds'
    : `DOES NOT HOLD (${counted(Number.parseInt(faults, 10), 'fault')}), first: ${first}`;
};

const programLine = (comparison: Comparison): (string | number)[] => [
  comparison.version,
  comparison.accounts,
  comparison.differences,
  comparison.first === null ? 'agrees' : `DOES NOT AGREE: ${comparison.first}`,
];
