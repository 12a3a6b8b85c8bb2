// Mistakes in an export to an accounting package.
import { join } from 'node:path';
import type { Mistake } from './mistake.ts';
import { folder } from './tieout.ts';

const EXPORT = ['export', '--out', join(folder, 'out'), '--period'];

export const PACKAGES: Readonly<Record<string, Mistake>> = {
  'an account map for reports': {
    args: [...EXPORT, '2026-10', '--map', 'a.csv', '--by', 'Ana'],
    exit: 64,
    says: /--map, --by only work with --format xero, quickbooks, datev, holded: remove them, /,
  },
  'summaries of reports': {
    args: [...EXPORT, '2026-10', '--summary', 'month'],
    exit: 64,
    says: /--summary only works with --format xero, quickbooks, datev, holded: remove it, /,
  },
  'a summary of another span': {
    args: [...EXPORT, '2026-10', '--format', 'xero', '--by', 'Ana', '--summary', 'year'],
    exit: 64,
    says: /Allowed choices are day, week, month/,
  },
  'a summary of a batch that stands': {
    args: [...EXPORT, '2026', '--format', 'xero', '--by', 'Ana', '--again', '1', '--summary', 'day'],
    exit: 64,
    says: /--again writes a batch as it was, in the same summaries: remove --summary/,
  },
  'a package by nobody': {
    args: [...EXPORT, '2026-10', '--format', 'xero', '--map', 'a.csv'],
    exit: 64,
    says: /write --by NAME: your name, kept in the audit trail/,
  },
  'a batch that is no number': {
    args: [...EXPORT, '2026', '--format', 'xero', '--by', 'Ana', '--again', 'last'],
    exit: 64,
    says: /--again needs the number of a batch, such as 3, not "last"/,
  },
  'a batch that is not there': {
    args: [...EXPORT, '2026', '--format', 'xero', '--by', 'Ana', '--entity', 'main', '--again', '7'],
    exit: 64,
    says: /main has no batch 7 of 2026/,
  },
};
