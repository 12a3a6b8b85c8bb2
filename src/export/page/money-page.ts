// What the sections of the part in money share.
import type { Overview } from './figures.ts';
import { inCents, type Phrases } from './phrases.ts';
import type { PageOf } from './section.ts';
import { type Html, html } from './text.ts';

/** The input of a section; `standing` is the sentence of the reconciler's verdict. */
export type MoneyPage = PageOf & {
  readonly overview: Overview;
  readonly currency: string;
  readonly standing: Html;
};

/** An amount on the face of the page, in full cents. */
export const money = (phrases: Phrases, exact: string | null, isChange = false): Html =>
  exact === null ? notKnown(phrases) : phrases.amount(inCents(exact), { isChange });

/** What is not known is a word, not a zero. */
export const known = (phrases: Phrases, figure: string | null | undefined): string | Html =>
  figure ?? notKnown(phrases);

const notKnown = ({ say }: Phrases): Html => html`<span class="none">${say('not.known')}</span>`;
