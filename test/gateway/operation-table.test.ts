// The table of operations in src/gateway/README.md is written from the contract. After a change run `npm run types:contract`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../src/base/root.ts';
import { OPERATIONS } from '../../src/gateway/contract/contract.ts';
import type { Operation } from '../../src/gateway/contract/operation.ts';
import { withPart } from '../database/dictionary.ts';

const HEAD =
  '| area | operation | authentication | scope | replaced by | section |\n|---|---|---|---|---|---|';

const rowOf = ({
  area,
  name,
  method,
  path,
  auth,
  scope,
  replacedBy,
  removal,
  section,
}: Operation): string => {
  const next = replacedBy === undefined ? '' : `\`${replacedBy}\`${removal ? `, removal ${removal}` : ''}`;
  return `| ${area} | \`${name}\`: ${method} ${path} | ${auth} | ${scope ?? ''} | ${next} | ${section} |`;
};

const tableText = (operations: readonly Operation[]): string =>
  [`${operations.length} operations.`, '', HEAD, ...operations.map(rowOf)].join('\n');

test('the table of operations in src/gateway/README.md is current: otherwise run npm run types:contract', async () => {
  const path = join(packageRoot, 'src', 'gateway', 'README.md');
  const document = withPart(readFileSync(path, 'utf8'), 'operations', tableText(OPERATIONS));
  await expect(document).toMatchFileSnapshot(path);
});
