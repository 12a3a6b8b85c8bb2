// entities: to whom an entity's books belong. A named person states it, one by one or from a file; every version is
// stored.

import { Command } from 'commander';
import { ACTIONS } from '../actions/actions.ts';
import type { ProfileRow } from '../actions/profiles.ts';
import type { Profile, ProfileField } from '../approvals/approvals.ts';
import { UsageError } from '../base/errors.ts';
import { withBooks } from '../run/run.ts';
import { approvals, proposeAndPrint } from './action.ts';
import { bookCommand, filled, type Shared, settings, signed } from './options.ts';
import { printJson, printLong, table } from './print.ts';

const listCommand = (): Command =>
  bookCommand('list', 'list entities and their profiles', 'npx tieout entities list').action(
    async (options: Shared) => {
      const rows = await withBooks(settings(options), async ({ db }) =>
        (await ACTIONS.profiles()).profileRows(db),
      );
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
        'lot rules',
        'residence',
        'read',
        'by',
      ];
      printLong(rows.length === 0 ? 'no books yet: run npx tieout nightly' : table(head, rows.map(cellsOf)));
    },
  );

const cellsOf = (profile: ProfileRow): (string | null)[] => [
  profile.entity_id,
  profile.legal_name,
  profile.tax_id,
  profile.taxpayer,
  profile.owner,
  profile.currency,
  profile.timezone,
  profile.fiscal_year_start,
  profile.cost_method,
  profile.lot_rules,
  profile.residence,
  profile.is_read ? 'yes' : 'not read',
  profile.set_by === null ? null : `${profile.set_by} (version ${profile.version}, ${profile.set_at})`,
];

type SetOptions = Shared & { readonly by: string } & Readonly<Partial<Record<keyof typeof FIELDS, string>>>;

/** Profile fields by option, in commander's spelling. */
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
    '--cost-method <fifo|average|hifo|specific>',
    'cost method for disposals; fixed once a month is closed',
  ],
  lotRules: [
    'lot_rules',
    '--lot-rules <rules>',
    'lot rules that differ from the defaults, such as swap-fee:cost; fixed once a month is closed',
  ],
  residence: ['residence', '--residence <country>', 'country of tax residence, such as ES'],
} as const satisfies Record<string, readonly [ProfileField, string, string]>;

const setCommand = (): Command => {
  const command = signed(
    bookCommand(
      'set',
      'update a profile; omitted fields stay, an empty value clears a field',
      'npx tieout entities set main --legal-name "Acme SL" --tax-id B12345678 --by "Ada B."',
    ).argument('<entity>', 'entity id, as shown by entities list'),
  );
  for (const [, flag, description] of Object.values(FIELDS)) command.option(flag, description);
  return command.action(async (entity: string, options: SetOptions) => {
    const changes = await changesIn(options);
    const by = filled('by', options.by);
    await proposeAndPrint(options, 'entities', async (work) =>
      (await ACTIONS.profiles()).setProfile(work, { entity, changes, by }),
    );
  });
};

const changesIn = async (options: SetOptions): Promise<Partial<Profile>> => {
  const { profileValue } = await approvals();
  const fields = Object.entries(FIELDS).flatMap(([option, [field, flag]]) => {
    const text = options[option as keyof typeof FIELDS];
    return text === undefined ? [] : [[field, profileValue(field, text, flag.replace(/ .*/, ''))] as const];
  });
  if (fields.length === 0)
    throw new UsageError(
      `nothing to set: write ${Object.values(FIELDS)
        .map(([, flag]) => flag.replace(/ .*/, ''))
        .join(', ')}`,
    );
  return Object.fromEntries(fields);
};

const importCommand = (): Command =>
  signed(
    bookCommand(
      'import',
      'propose all profiles of a CSV file',
      'npx tieout entities import entities.csv --by "Ada B."',
    ).argument(
      '<file>',
      'CSV file with the columns entity_id,legal_name,tax_id,taxpayer,owner,currency,timezone,cost_method,fiscal_year_start,lot_rules,residence',
    ),
  ).action(async (file: string, options: SetOptions) => {
    const wanted = (await approvals()).readProfiles(file);
    const by = filled('by', options.by);
    await proposeAndPrint(options, 'entities', async (work) =>
      (await ACTIONS.profiles()).importProfiles(work, { wanted, by }),
    );
  });

export const entityCommands = (): Command =>
  new Command('entities')
    .description('list, update or import the profiles of entities')
    .addCommand(listCommand())
    .addCommand(setCommand())
    .addCommand(importCommand())
    .addHelpText('after', '\nExample:\n  npx tieout entities list\n');
