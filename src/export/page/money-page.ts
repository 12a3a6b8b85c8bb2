// What the sections of the part in money share.
import type { Manifest } from '../reports/manifest.ts';
import type { PageFacts } from './facts.ts';
import type { Overview } from './figures.ts';
import { inCents, type Phrases } from './phrases.ts';
import { type Html, html } from './text.ts';

/** The input of a section; `standing` is the sentence of the reconciler's verdict. */
export type MoneyPage = {
  readonly manifest: Omit<Manifest, 'files'>;
  readonly facts: PageFacts;
  readonly overview: Overview;
  readonly phrases: Phrases;
  readonly currency: string;
  readonly standing: Html;
};

/** An amount on the face of the page, in full cents. */
export const money = ({ amount }: Phrases, exact: string, isChange = false): Html =>
  amount(inCents(exact), { isChange });

/** What a table leaves out, and the file that has it; null if nothing is. */
export const moreIn = ({ say }: Phrases, many: number, file: string): Html | null =>
  many <= 0
    ? null
    : html`<p class="more">${say('more', { n: many, file: html`<a href="${file}">${file}</a>` })}</p>`;
