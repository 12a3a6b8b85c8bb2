// entities: whose books these are. A named person says it, one by one or from a file; every version is kept.
import { Command } from 'commander';
import type { ProfileRow } from '../actions/profiles.ts';
import type { Profile, ProfileField } from '../approvals/approvals.ts';
import { UsageError } from '../base/errors.ts';
import { withBooks } from '../run/work.ts';
import { proposeAndPrint, room } from './desk.ts';
import { bookCommand, filled, type Shared, settings, signed } from './options.ts';
import { print, printJson, table } from './print.ts';

const jobs = () => import('../actions/profiles.ts');

const listCommand = (): Command =>
  bookCommand('list', 'list entities and their profiles', 'npx tieout entities list').action(
    async (options: Shared) => {
      const rows = await withBooks(settings(options), async ({ db }) => (await jobs()).profileRows(db));
      if (options.json) return printJson(rows);
      const head = [
        'entity',
        'legal name',
        'tax id',
        'taxpayer',
        'owner',
        'currency',
        'timezone',
        'year from',
        'cost',
        'read',
        'by',
      ];
      print(rows.length === 0 ? 'no books yet: run npx tieout nightly' : table(head, rows.map(cellsOf)));
    },
  );

const cellsOf = (it: ProfileRow): (string | null)[] => [
  ...[
    it.entity_id,
    it.legal_name,
    it.tax_id,
    it.taxpayer,
    it.owner,
    it.currency,
    it.timezone,
    it.fiscal_year_start,
    it.cost_method,
  ],
  it.is_read ? 'yes' : 'not read',
  it.by_name === null ? null : `${it.by_name} (version ${it.version}, ${it.at})`,
];

type Said = Shared & { readonly by: string } & Readonly<Partial<Record<keyof typeof FIELDS, string>>>;

/** The fields of a profile by the option that says them, as commander names it. */
const FIELDS = {
  legalName: ['legal_name', '--legal-name <text>', 'registered name'],
  taxId: ['tax_id', '--tax-id <text>', 'tax id'],
  taxpayer: ['taxpayer', '--taxpayer <text>', 'taxpayer; entities of one taxpayer share lots'],
  owner: ['owner', '--owner <own|client>', 'owner; books of a client are left out of our own totals'],
  currency: ['currency', '--currency <code>', 'reporting currency; must equal TIEOUT_CURRENCY'],
  timezone: ['timezone', '--timezone <name>', 'timezone of the periods; must equal TIEOUT_TIMEZONE'],
  fiscalYearStart: [
    'fiscal_year_start',
    '--fiscal-year-start <month>',
    'first month of the fiscal year, 1 to 12; must equal TIEOUT_FISCAL_YEAR_START',
  ],
  costMethod: [
    'cost_method',
    '--cost-method <fifo|average>',
    'cost method for disposals; fixed once a month is closed',
  ],
} as const satisfies Record<string, readonly [ProfileField, string, string]>;

const setCommand = (): Command => {
  const command = signed(
    bookCommand(
      'set',
      'update a profile; omitted fields stay, an empty value clears a field',
      'npx tieout entities set main --legal-name "Acme SL" --tax-id B12345678 --by "Ada B."',
    ).argument('<entity>', 'entity id, as shown by entities list'),
  );
  for (const [, flag, told] of Object.values(FIELDS)) command.option(flag, told);
  return command.action(async (entity: string, options: Said) => {
    const said = await saidIn(options);
    const by = filled('by', options.by);
    await proposeAndPrint(options, 'entities', async (work) =>
      (await jobs()).setProfile(work, { entity, changes: said, by }),
    );
  });
};

const saidIn = async (options: Said): Promise<Partial<Profile>> => {
  const { profileValue } = await room();
  const said = Object.entries(FIELDS).flatMap(([option, [field, flag]]) => {
    const text = options[option as keyof typeof FIELDS];
    return text === undefined ? [] : [[field, profileValue(field, text, flag.replace(/ .*/, ''))] as const];
  });
  if (said.length === 0)
    throw new UsageError(
      `nothing to set: write ${Object.values(FIELDS)
        .map(([, flag]) => flag.replace(/ .*/, ''))
        .join(', ')}`,
    );
  return Object.fromEntries(said);
};

const importCommand = (): Command =>
  signed(
    bookCommand(
      'import',
      'propose all profiles of a CSV file',
      'npx tieout entities import entities.csv --by "Ada B."',
    ).argument(
      '<file>',
      'CSV file with the columns entity_id,legal_name,tax_id,taxpayer,owner,currency,timezone,cost_method,fiscal_year_start',
    ),
  ).action(async (file: string, options: Said) => {
    const wanted = (await room()).readProfiles(file);
    const by = filled('by', options.by);
    await proposeAndPrint(options, 'entities', async (work) =>
      (await jobs()).importProfiles(work, { wanted, by }),
    );
  });

export const entityCommands = (): Command =>
  new Command('entities')
    .description('list, update or import the profiles of entities')
    .addCommand(listCommand())
    .addCommand(setCommand())
    .addCommand(importCommand())
    .addHelpText('after', '\nExample:\n  npx tieout entities list\n');
