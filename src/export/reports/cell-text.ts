// The longest text of a cell in Excel: it reports a workbook with more as broken, and lets the rest of a CSV's cell run into the next rows.

const TEXT_MAX = 32_767;
const CUT = ' … (cut: the CSV of the machine profile has all of it)';

/** Text that is too long for a cell is cut between two characters, and marked. */
export const cellText = (text: string): string =>
  text.length <= TEXT_MAX
    ? text
    : `${text.slice(0, TEXT_MAX - CUT.length).replace(/[\ud800-\udbff]$/, '')}${CUT}`;
