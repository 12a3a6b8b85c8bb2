// Text that a spreadsheet would read as a number, a date, a time or a boolean when it opens a CSV, and then show differently.

/** The words of dates and times in the languages of the profiles: a spreadsheet of any country knows the English ones too. */
const DATE_WORDS: ReadonlySet<string> = new Set(
  [
    'jan january januar jän jänner ene enero feb february febrero februar mar march marzo mär mrz märz apr april abr abril may mayo mai',
    'jun june junio juni jul july julio juli aug august ago agosto sep sept september septiembre oct october octubre okt oktober',
    'nov november noviembre dec december dic diciembre dez dezember monday tuesday wednesday thursday friday saturday sunday',
    'lunes martes miércoles jueves viernes sábado domingo montag dienstag mittwoch donnerstag freitag samstag sonntag am pm de',
  ].flatMap((words) => words.split(' ')),
);

/** A digit, and besides only letters and the signs that figures have. What has an apostrophe already is text. */
const FIGURE = /^(?!')(?=\D*\d)[\d\s.,:/()%€$£¥'’+\p{L}-]+$/u;

/** The letters that a figure has within: of an exponent, and of an instant. */
const LETTERS = /(?<=[\d.,])e(?=[+-]?\d)|(?<=\d)t(?=\d)|(?<=\d)z$/gi;

/** A whole number of at most 15 digits, and a month such as 2026-10, lose nothing. */
const LOSSLESS = /^(?:0|[1-9]\d{0,14}|\d{4}-(?:0[1-9]|1[0-2]))$/;

/** Text that a spreadsheet reads as a boolean, in some language, and shows in its own. */
const TRUTH = /^\s*(?:true|false|verdadero|falso|wahr|falsch)\s*$/i;

/** `007`, `1e5`, `(5)`, `50%`, `1-2`, `10:30 pm`, `May 2026`, more than 15 digits. */
const isFigure = (text: string): boolean =>
  FIGURE.test(text) &&
  !LOSSLESS.test(text) &&
  (text.replace(LETTERS, ' ').match(/\p{L}+/gu) ?? []).every((word) => DATE_WORDS.has(word.toLowerCase()));

/** Adds a leading apostrophe to such text, as for formulas: CSV has no other way to mark a cell as text. */
export const asLiteral = (text: string): string => (isFigure(text) || TRUTH.test(text) ? `'${text}` : text);
