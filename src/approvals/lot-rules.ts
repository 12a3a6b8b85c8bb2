// Lot rules: conventions of tax on which authorities differ, as a taxpayer chooses them. A profile stores them as one text,
// such as `network-fee:cost swap-fee:cost`; a rule that it does not name has its default. src/valuation/README.md explains each.

/** The choices of each rule; the first one is its default. */
const CHOICES = {
  'swap-fee': ['proceeds', 'cost'],
  'received-fee': ['kept-back', 'full-lot'],
  'network-fee': ['disposal', 'cost'],
  'without-lot': ['unknown', 'zero'],
} as const;

type RuleName = keyof typeof CHOICES;
type Choice<N extends RuleName> = (typeof CHOICES)[N][number];

export type LotRules = { readonly [N in RuleName]: Choice<N> } & {
  /** The first day of the month from which each place has a pool of its own; null for one pool. */
  readonly 'wallets-from': string | null;
};

const WALLETS_FROM = /^wallets-from:(\d{4}-(?:0[1-9]|1[0-2])-01)$/;

const NAMES = Object.keys(CHOICES) as RuleName[];

const partsOf = (text: string): string[] => text.split(/[\s,]+/).filter((part) => part !== '');

/** What is wrong with a text of lot rules, and what to write instead; null if it is valid. */
export const faultInLotRules = (text: string): string | null => {
  const names = new Set<string>();
  for (const part of partsOf(text)) {
    const [name = '', choice = ''] = part.split(':', 2);
    const choices: readonly string[] = Object.hasOwn(CHOICES, name) ? CHOICES[name as RuleName] : [];
    if (!choices.includes(choice) && !WALLETS_FROM.test(part))
      return `write rules such as swap-fee:cost, of ${everyChoice()}`;
    if (names.has(name)) return `names ${name} twice: write each rule once`;
    names.add(name);
  }
  return null;
};

const everyChoice = (): string =>
  [
    ...NAMES.map((name) => `${name}:${CHOICES[name].join('|')}`),
    'wallets-from:2025-01-01 (the first day of a month)',
  ].join(', ');

/** Valid rules in one form: without defaults, in order of their names. Empty if all are defaults. */
export const lotRulesText = (text: string): string =>
  partsOf(text)
    .filter((part) => !NAMES.some((name) => part === `${name}:${CHOICES[name][0]}`))
    .sort()
    .join(' ');

/** The rules of a stored text. */
export const lotRulesOf = (text: string | null): LotRules => {
  const parts = partsOf(text ?? '');
  const chosen = NAMES.map((name) => [
    name,
    CHOICES[name].find((choice) => parts.includes(`${name}:${choice}`)) ?? CHOICES[name][0],
  ]);
  const from = parts.map((part) => WALLETS_FROM.exec(part)?.[1]).find((day) => day !== undefined);
  return { ...Object.fromEntries(chosen), 'wallets-from': from ?? null } as LotRules;
};
