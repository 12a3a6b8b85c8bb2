// The limits of each accounting package, as its public documentation states them. The writers respect them by splitting or
// refusing, and the tests check the bytes against them.

import { DATEV_COLUMNS } from './datev-columns.ts';

export type PackageLimits = {
  /** Lines of one file, including those above the first entry. */
  readonly lines: number;
  readonly bytes: number | null;
  /** Digits before the decimal sign. */
  readonly wholeDigits: number;
  /** The most characters of each text column. */
  readonly lengths: Readonly<Record<string, number>>;
  /** The columns, in order. */
  readonly columns: readonly string[];
};

/** A spreadsheet holds 15 digits exactly: 13 before two decimals. Used if a package documents no limit of its own. */
const SHEET_DIGITS = 13;

/**
 * Xero, help.xero.com/int/ManualJournalsImport: up to 300 lines; columns with an asterisk are mandatory. A code has at
 * most 10 characters (Accounting API, Accounts), a tracking category and its option 100 each (Tracking Categories). It documents no length of texts: ours are shorter than what it shows.
 */
export const XERO_LIMITS: PackageLimits = {
  lines: 300,
  bytes: null,
  wholeDigits: SHEET_DIGITS,
  lengths: {
    '*Narration': 500,
    Description: 500,
    '*AccountCode': 10,
    '*TaxRate': 50,
    TrackingName1: 100,
    TrackingOption1: 100,
    TrackingName2: 100,
    TrackingOption2: 100,
  },
  columns: [
    '*Narration',
    '*Date',
    'Description',
    '*AccountCode',
    '*TaxRate',
    '*Amount',
    'TrackingName1',
    'TrackingOption1',
    'TrackingName2',
    'TrackingOption2',
  ],
};

/**
 * QuickBooks Online, Intuit's "Import journal entries" (L4tQBwbs7): these columns, accounts by name. 1,000 rows and 350 KB
 * are what importers report (importcsv.com/blog/quickbooks-csv-import). A number has 21 characters (API, DocNumber), an
 * account's name 100 (API, Account), and so have a class and the name of a customer or supplier. It documents no length of a description, and ours is short.
 */
export const QUICKBOOKS_LIMITS: PackageLimits = {
  lines: 1000,
  bytes: 350_000,
  wholeDigits: 11,
  lengths: { JournalNo: 21, AccountName: 100, Description: 200, Name: 100, Class: 100 },
  columns: ['JournalNo', 'JournalDate', 'AccountName', 'Debits', 'Credits', 'Description', 'Name', 'Class'],
};

/**
 * Holded, help.holded.com/en/articles/6895995 and es/articles/10006986: these columns in these places; above 800 lines
 * "it is very likely that the system fails". It documents no length of texts, and ours are short.
 */
export const HOLDED_LIMITS: PackageLimits = {
  lines: 800,
  bytes: null,
  wholeDigits: SHEET_DIGITS,
  lengths: {
    'Name of the accounting account': 100,
    'Number of the accounting account': 12,
    Description: 250,
  },
  columns: [
    'Entry number',
    'Date',
    'Name of the accounting account',
    'Number of the accounting account',
    'Debit',
    'Credit',
    'Description',
    'Tags',
    'Notes',
    'Type of entry',
  ],
};

/**
 * DATEV, developer.datev.de, DATEV-Format, "Header" and "Buchungsstapel": at most 99,999 bookings below two lines of head.
 * Ours have 20,000: each has 125 columns, and a file is written from memory.
 */
export const DATEV_LIMITS: PackageLimits = {
  lines: 20_000 + 2,
  bytes: null,
  wholeDigits: 10,
  lengths: {
    'Belegfeld 1': 36,
    'Belegfeld 2': 12,
    Buchungstext: 60,
    'Beleginfo - Art 1': 20,
    'Beleginfo - Inhalt 1': 210,
    'KOST1 - Kostenstelle': 36,
    'KOST2 - Kostenstelle': 36,
    'Zusatzinformation - Art 1': 20,
    'Zusatzinformation- Inhalt 1': 210,
  },
  columns: DATEV_COLUMNS,
};
