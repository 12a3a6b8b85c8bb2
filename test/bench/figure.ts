// A measured figure and its limit.

export type Figure = {
  readonly what: string;
  readonly figure: string;
  readonly limit: string;
  readonly isKept: boolean;
};
