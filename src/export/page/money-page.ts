// What the sections of the part in money share.
import type { Overview } from './figures.ts';
import { inCents, type Phrases } from './phrases.ts';
import type { PageOf } from './section.ts';
import type { Html } from './text.ts';

/** The input of a section; `standing` is the sentence of the reconciler's verdict. */
export type MoneyPage = PageOf & {
  readonly overview: Overview;
  readonly currency: string;
  readonly standing: Html;
};

/** An amount on the face of the page, in full cents. */
export const money = ({ amount }: Phrases, exact: string, isChange = false): Html =>
  amount(inCents(exact), { isChange });
