// bank and chain: import statements of our own accounts outside the platform, and withdraw what was imported wrongly.
import { basename } from 'node:path';
import { Command, Option } from 'commander';
import { ACTIONS } from '../actions/actions.ts';
import type { ImportReport } from '../actions/external.ts';
import { counted } from '../base/counted.ts';
import { bytesOf } from '../base/csv-file.ts';
import { UsageError } from '../base/errors.ts';
import { parseExact } from '../base/json.ts';
import { readNamedFile } from '../base/named-file.ts';
import type { ExternalFormat, Signed } from '../external/external.ts';
import { bookedEntities, databaseTime } from '../run/run.ts';
import type { Work } from '../run/work.ts';
import { runAction } from './action.ts';
import { listCommand } from './external-list.ts';
import { printStanding, statesJson } from './external-standing.ts';
import { withdrawCommand } from './external-withdraw.ts';
import { bookCommand, filled, type Shared, settings, signed } from './options.ts';
import { print, printJson, table } from './print.ts';

type ImportOptions = Shared & {
  readonly by: string;
  readonly entity?: string;
  readonly counterparty?: readonly string[];
};
type BankOptions = ImportOptions & {
  readonly account: string;
  readonly format?: ExternalFormat;
  readonly map?: string;
  readonly columns?: string;
  readonly opening?: string;
  readonly closing?: string;
};
type ChainOptions = ImportOptions & {
  readonly address: string;
  readonly currency: string;
  readonly network?: string;
  readonly until?: string;
};

const withImport = (command: Command): Command =>
  signed(command)
    .option('--entity <id>', 'entity that the account belongs to (default: the main account)')
    .option(
      '--counterparty <text>',
      'name, account or address of the platform: other lines are stored and not compared; repeat for several',
      (text: string, texts: string[] = []) => [...texts, text],
    );

const bankImportCommand = (): Command =>
  withImport(
    bookCommand(
      'import',
      'store a bank statement and compare its lines with the books',
      'npx tieout bank import october.xml --account ES9121000418450200051332 --by "Ada Byron"',
    )
      .argument('<file>', 'CAMT.053, MT940, Norma 43, or CSV with the columns date,amount,currency,balance')
      .requiredOption('--account <name>', 'your account: its IBAN, or a name for it')
      .addOption(
        new Option('--format <format>', 'format of the file (default: its content shows it)').choices(
          FORMATS,
        ),
      )
      .option(
        '--map <pairs>',
        "headings of your bank's CSV: date=Fecha,amount=Importe,balance=Saldo,currency-code=EUR, direction=S/H,out=S,in=H for a column of words beside amounts, and if asked dates=dmy, decimal=comma, encoding=windows-1252",
      )
      .option('--columns <file>', 'the same pairs as a CSV with the columns column,heading')
      .option('--opening <amount>', 'balance before the first line, if the CSV has no balances')
      .option('--closing <amount>', 'balance after the last line, if the CSV has no balances'),
  ).action(async (path: string, options: BankOptions) => {
    const account = filled('account', options.account);
    const stated = { format: options.format ?? null, mapping: mappingIn(options) };
    await importAndPrint(path, options, async (work, ask) =>
      (await ACTIONS.external()).bankImport(work, { ...ask, ...stated, account }),
    );
  });

const FORMATS = ['camt.053', 'mt940', 'norma43', 'csv'] as const satisfies readonly ExternalFormat[];

/** What was typed to read a CSV with other headings. */
const mappingIn = ({ map, columns, opening, closing }: BankOptions) => ({
  map: map ?? null,
  columns: columns === undefined ? null : { name: basename(columns), bytes: bytesOf(columns) },
  opening: opening ?? null,
  closing: closing ?? null,
});

const chainImportCommand = (): Command =>
  withImport(
    bookCommand(
      'import',
      'store the transactions of your address on a chain and compare them with the books',
      'npx tieout chain import wallet.csv --address 0x52908400098527886E0F7030069857D2E4169EE7 --currency ETH --by "Ada Byron"',
    )
      .argument('<file>', 'CSV with the columns hash,time,amount, or the export of Etherscan')
      .requiredOption('--address <address>', 'your address')
      .requiredOption('--currency <code>', 'coin of the amounts')
      .option('--network <name>', 'network of the address, kept with it')
      .option('--until <day>', 'last day that the list has whole (default: the day of its last transaction)'),
  ).action(async (path: string, options: ChainOptions) => {
    const account = {
      address: filled('address', options.address),
      currency: filled('currency', options.currency),
      network: options.network ?? null,
      until: options.until ?? null,
    };
    await importAndPrint(path, options, async (work, ask) =>
      (await ACTIONS.external()).chainImport(work, { ...ask, ...account }),
    );
  });

const FILE_BYTES_MAX = 50_000_000;

const importAndPrint = async (
  path: string,
  options: ImportOptions,
  importFile: (work: Work, ask: Signed) => Promise<ImportReport>,
): Promise<void> => {
  const config = settings(options);
  const by = filled('by', options.by);
  const counterparties = (options.counterparty ?? []).map((text) => filled('counterparty', text));
  const read = readNamedFile(path, { bytesMax: FILE_BYTES_MAX });
  if ('refusal' in read) throw new UsageError(`${path}: the file ${read.refusal}`);
  const file = { name: basename(path), bytes: read.bytes };
  const done: ImportReport[] = [];
  await runAction(config, 'import', async (work) => {
    const [entity = ''] = await bookedEntities(work, options.entity ?? config.entity);
    const ask = { entity, file, by, at: await databaseTime(work.db), counterparties };
    const report = await importFile(work, ask);
    done.push(report);
    return report.result;
  });
  for (const report of done) {
    if (options.json) printJson(asJson(report));
    else printImport(report);
  }
};

const asJson = ({ entity, outcome, paired, states, breaks }: ImportReport) => ({
  entity_id: entity,
  account_name: outcome.account,
  kind: outcome.kind,
  currency: outcome.currency,
  format: outcome.format,
  reading: outcome.reading === null ? null : parseExact(outcome.reading),
  file_sha256: outcome.sha256,
  is_new_account: outcome.isNewAccount,
  statements: outcome.statements.map(({ bankNumber, startsOn, endsOn, opening, closing, lines }) => ({
    bank_number: bankNumber,
    starts_on: startsOn,
    ends_on: endsOn,
    opening,
    closing,
    lines: lines.length,
  })),
  statements_known: outcome.known,
  lines: outcome.lines,
  unrelated: outcome.unrelated,
  paired,
  states: statesJson(states),
  breaks,
});

const printImport = ({ outcome, states, breaks }: ImportReport): void => {
  const { format, statements, known } = outcome;
  if (statements.length === 0) {
    print(
      `nothing is new: ${known === 1 ? 'this statement was' : `these ${known} statements were`} imported before`,
    );
  } else {
    print(
      table(
        ['statement', 'from', 'to', 'opening', 'closing', 'lines'],
        statements.map(({ bankNumber, startsOn, endsOn, opening, closing, lines }) => [
          bankNumber,
          startsOn,
          endsOn,
          opening,
          closing,
          lines.length,
        ]),
      ),
    );
    const repeated = known === 0 ? '' : `; ${counted(known, 'statement')} of the file known before`;
    print(`\nstored as ${format}, sha256 ${outcome.sha256}${repeated}`);
    if (outcome.reading !== null) print(`read as ${outcome.reading}`);
  }
  printStanding(outcome, states, breaks);
};

export const bankCommands = (): Command =>
  new Command('bank')
    .description('compare the statements of your bank accounts with the books')
    .addCommand(bankImportCommand())
    .addCommand(withdrawCommand('bank'))
    .addCommand(listCommand('bank'))
    .addHelpText(
      'after',
      '\nExample:\n  npx tieout bank import october.xml --account ES9121000418450200051332 --by "Ada Byron"\n',
    );

export const chainCommands = (): Command =>
  new Command('chain')
    .description('compare the transactions of your addresses on chains with the books')
    .addCommand(chainImportCommand())
    .addCommand(withdrawCommand('chain'))
    .addCommand(listCommand('chain'))
    .addHelpText('after', '\nExample:\n  npx tieout chain list\n');
