// Text as one word of a command line, for commands in messages that a person copies into a shell.

const PLAIN = /^[\w@%+=:,./-]+$/;

/** The text, in single quotes if a shell would change or split it. */
export const shellWord = (text: string): string =>
  PLAIN.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
