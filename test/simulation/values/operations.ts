// The operations of a history, and how often each occurs.
import type { Random } from '../../../src/sandbox/random.ts';
import { complete, correct, happen } from './arrivals.ts';
import {
  changeProfiles,
  changeRates,
  changeRules,
  chooseLot,
  closeNext,
  enterFee,
  importLots,
  publishMonth,
  rebuildAll,
  reopenLast,
  takeBackFee,
} from './decisions.ts';
import { enterEntry, takeBackEntry } from './entries.ts';
import type { Operation } from './operation.ts';

const OPERATIONS: readonly (readonly [times: number, operation: Operation])[] = [
  [40, happen],
  [8, complete],
  [26, correct],
  [14, closeNext],
  [5, reopenLast],
  [4, publishMonth],
  [2, changeRates],
  [2, changeRules],
  [3, importLots],
  [3, chooseLot],
  [2, changeProfiles],
  [2, rebuildAll],
  [4, enterFee],
  [1, takeBackFee],
  [8, enterEntry],
  [4, takeBackEntry],
];

export const operationOf = (random: Random): Operation =>
  random.pick(OPERATIONS.flatMap(([times, operation]) => Array.from({ length: times }, () => operation)));
