// consolidate: the books of several databases together.
import type { Command } from 'commander';
import { counted } from '../base/counted.ts';
import { UsageError } from '../base/errors.ts';
import { isPostgresUrl } from '../config/config.ts';
import { type Consolidated, consolidate } from '../export/export.ts';
import { command, type Shared } from './options.ts';
import { print, printJson, table, titledTable } from './print.ts';

type ConsolidateOptions = Pick<Shared, 'json' | 'signal'> & { readonly out?: string };

export const consolidateCommand = (): Command =>
  command(
    'consolidate',
    'add the reported and booked balances of several databases',
    'npx tieout consolidate "$NORTH_URL" "$SOUTH_URL" --out group',
  )
    .argument('<url...>', 'addresses of the databases, each with a login that may read the views')
    .option('--out <dir>', 'write consolidated.csv and a manifest that names each database')
    .action(async (urls: readonly string[], options: ConsolidateOptions) => {
      if (!urls.every(isPostgresUrl))
        throw new UsageError(
          'consolidate takes addresses of databases: postgresql://user:password@host:5432/database',
        );
      const result = await consolidate(urls, options.out, options);
      if (options.json) return printJson(result);
      print(consolidatedText(result));
    });

const consolidatedText = ({ consolidated, sources, dir }: Consolidated): string => {
  const entities = sources.flatMap(({ database, entities: all }) =>
    all.map(({ entity_id, owner, last_night_at, compared_at, breaks, rejects, gaps }) => [
      database,
      entity_id ?? null,
      owner ?? null,
      last_night_at ?? 'never',
      compared_at ?? 'never',
      breaks ?? null,
      rejects ?? null,
      gaps ?? null,
    ]),
  );
  return [
    table(
      ['database', 'entity', 'owner', 'last night', 'last compared', 'breaks', 'rejects', 'gaps'],
      entities,
    ),
    ...limits(sources),
    titledTable('consolidated', [...consolidated]),
    ...(dir === null ? [] : [dir]),
  ].join('\n\n');
};

/** What the figures do not say of themselves: how many entities nothing was compared with, and how many are left out. */
const limits = (sources: Consolidated['sources']): string[] => {
  const entities = sources.flatMap((source) => source.entities);
  const clients = entities.filter(({ owner }) => owner === 'client').length;
  const uncompared = entities.filter((row) => row.owner === 'own' && row.compared_at === null).length;
  const lines: [number, string][] = [
    [uncompared, 'never compared: all that they booked is in not_compared'],
    [clients, 'of clients: left out of these figures'],
  ];
  return lines.flatMap(([count, text]) =>
    count > 0 ? [`${counted(count, 'entity', 'entities')} ${text}`] : [],
  );
};
