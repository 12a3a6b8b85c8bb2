// Proofs: the number of items checked, the number of faults, and the first fault.

/** `first` is a sentence that names the first fault; counts are text, as Postgres returns them. */
export type Proof = {
  readonly proof: string;
  readonly checked: string;
  readonly faults: string;
  readonly first: string | null;
  /** Why nothing was examined; absent if something was. */
  readonly unexamined?: string;
};

/** The proof of `checked` items with these faults, each a sentence. */
export const proofFrom = (name: string, checked: number, faults: readonly string[]): Proof => ({
  proof: name,
  checked: String(checked),
  faults: String(faults.length),
  first: faults[0] ?? null,
});

/** Whether a proof compared something, or says why not. What nothing was compared for does not hold: it is left out. */
export const isExamined = ({ checked, faults, unexamined }: Proof): boolean =>
  checked !== '0' || faults !== '0' || unexamined !== undefined;

/** Counts items: `check` takes the fault of an item, or of several alike: a sentence, or null. */
export const proofOf = (name: string) => {
  let checked = 0;
  let faults = 0;
  let first: string | null = null;
  return {
    check: (fault: string | null, items = 1): void => {
      checked += items;
      if (fault === null) return;
      faults += items;
      first ??= fault;
    },
    done: (): Proof => ({ proof: name, checked: String(checked), faults: String(faults), first }),
  };
};
