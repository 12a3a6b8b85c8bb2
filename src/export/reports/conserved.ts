// The conservation figures of a manifest, per stream and rule version: landed = booked + rejected + set aside.

/** One side of our own accounts in one currency: landed, booked and set aside. Exact amounts in plain notation. */
export type ConservedSum = {
  readonly side: string;
  readonly currency: string;
  readonly landed: string;
  readonly booked: string;
  readonly set_aside: string;
};

/** Counts of records by outcome. `rule_version` 0 means no outcome yet. */
export type Conserved = {
  readonly entity: string;
  readonly stream: string;
  readonly rule_version: number;
  readonly landed: number;
  readonly booked: number;
  readonly rejected: number;
  readonly set_aside: number;
  readonly sums: readonly ConservedSum[];
};
