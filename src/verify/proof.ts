// A proof under way: how much was looked at, how much of it does not hold, and the first of that, named.

export type Proof = {
  readonly proof: string;
  readonly checked: string;
  readonly faults: string;
  readonly first: string | null;
};

/** Counts what is checked; a fault is a sentence that names what does not hold. */
export const proofOf = (name: string) => {
  let checked = 0;
  let faults = 0;
  let first: string | null = null;
  return {
    check: (fault: string | null): void => {
      checked += 1;
      if (fault === null) return;
      faults += 1;
      first ??= fault;
    },
    done: (): Proof => ({ proof: name, checked: String(checked), faults: String(faults), first }),
  };
};
