// consolidate: the books of several databases together.
import type { Command } from 'commander';
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
    all.map(({ entity_id, last_night_at, breaks, rejects, gaps }) => [
      database,
      entity_id ?? null,
      last_night_at ?? null,
      breaks ?? null,
      rejects ?? null,
      gaps ?? null,
    ]),
  );
  return [
    table(['database', 'entity', 'last night', 'breaks', 'rejects', 'gaps'], entities),
    titledTable('consolidated', [...consolidated]),
    ...(dir === null ? [] : [dir]),
  ].join('\n\n');
};
