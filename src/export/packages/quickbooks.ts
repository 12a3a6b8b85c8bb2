// QuickBooks Online: the import file for journal entries, as in Intuit's help article "Import journal entries" (L4tQBwbs7):
// rows with the same number are one entry, accounts have names instead of numbers, a subaccount is Parent:Sub. Dates have
// the month first, and the importer asks for their form.
import {
  dayParts,
  decimal,
  delimitedFormat,
  entryText,
  fitted,
  journalNumber,
  lineText,
  type PackageFormat,
  tooLong,
} from './package.ts';
import { QUICKBOOKS_LIMITS as LIMITS } from './package-limits.ts';

/** A name with an empty part, or with blanks around a part. */
const BLANK_PART = /(?:^|:)\s|\s(?::|$)|::|^:|:$/;

export const QUICKBOOKS: PackageFormat = {
  ...delimitedFormat('quickbooks', { limits: LIMITS, delimiter: ',' }),
  rows: (entry, head) => {
    const { year, month, day } = dayParts(entry.day);
    return entry.lines.map((line) => ({
      cells: [
        journalNumber(head, entry),
        `${month}/${day}/${year}`,
        line.name,
        line.cents > 0n ? decimal(line.cents) : '',
        line.cents < 0n ? decimal(-line.cents) : '',
        fitted(LIMITS, 'Description', `${entryText(entry)}: ${lineText(line)}`),
      ],
      sides: [{ line, cents: line.cents }],
    }));
  },
  keyOf: ({ name }) => name,
  ofChart: ({ code, names }) => ({ code, name: names.en.replaceAll(': ', ':'), tax: '' }),
  mapFaults: ({ name, tax }) => [
    ...(name === '' ? ['name is empty: QuickBooks finds an account by its name, Parent:Sub'] : []),
    ...(BLANK_PART.test(name) ? [`the name ${name} is not written Parent:Sub`] : []),
    ...tooLong(LIMITS, 'AccountName', name),
    ...(tax === '' ? [] : ['tax must be empty: this import has no column for it']),
  ],
};
