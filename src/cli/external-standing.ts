// How the lines of an account stand after an import or a withdrawal, for people and as JSON.
import type { ImportReport } from '../actions/external.ts';
import { print } from './print.ts';

export const statesJson = (states: ImportReport['states']) =>
  Object.fromEntries(states.map(({ status, lines }) => [status, lines]));

/** How all lines of the account stand, and the open breaks of the entity. */
export const printStanding = (
  { kind, account, currency }: Pick<ImportReport['outcome'], 'kind' | 'account' | 'currency'>,
  states: ImportReport['states'],
  breaks: ImportReport['breaks'],
): void => {
  const lines = states.map(({ status, lines: count }) => `${count} ${status}`).join(', ');
  const name = kind === 'bank' ? `bank account ${account} in ${currency}` : `address ${account}`; // which names its coin
  print(`${name}, all its lines: ${lines || 'none'}`);
  print(breaks.length === 0 ? 'no breaks' : `\nopen breaks (${breaks.length}):`);
  for (const { break_id, reason } of breaks) print(`  ${break_id}  ${reason}`);
};
