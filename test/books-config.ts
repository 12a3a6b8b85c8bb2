// The settings of books as a person has them who sets nothing, for measurements and simulations.
import assert from 'node:assert/strict';
import type { Config } from '../src/config/environment.ts';
import { lagsOf } from '../src/config/setting-forms.ts';

export const booksConfig = (home: string): Config => {
  const lagHours = lagsOf('48');
  assert(lagHours);
  return {
    home,
    databaseUrl: null,
    roleUrls: {},
    entity: 'main',
    timezone: 'UTC',
    fiscalYearStart: 1,
    currency: 'EUR',
    lagHours,
    fullDays: 30,
    pendingDays: 7,
    transitHours: 24,
    retentionYears: 6,
    exportMonths: 1200,
    unknownLimit: null,
    platformClass: null,
  };
};
