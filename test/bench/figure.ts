// A measured figure, beside its limit.

export type Figure = {
  readonly what: string;
  readonly figure: string;
  readonly limit: string;
  readonly isKept: boolean;
};
