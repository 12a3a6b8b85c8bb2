// The troubles of a walk by offset: why a list is not proved, and what is landed and no longer listed.
import type { Trouble } from './step.ts';

/** A reading as it ended: the gateway's last total, and how many records are landed in this list. */
type Ended = { readonly total: number | null; readonly landed: number; readonly hasMoved: boolean };

/** Why no reading proved the list; `distinct` is the number of records that the last one showed. */
export const unproved = (ended: Ended, distinct: number): Trouble => {
  if (ended.hasMoved) return MOVED;
  return ended.landed < distinct
    ? landedElsewhere(ended.landed, distinct)
    : miscounted(ended.total, distinct);
};

const MOVED: Trouble = {
  subject: 'total',
  detail: 'records disappeared from the list during each reading, so others may have been missed',
};

const landedElsewhere = (landed: number, distinct: number): Trouble => ({
  subject: 'total',
  detail: `${distinct - landed} of ${distinct} listed records have the id of a record in another list of this stream, which keeps them`,
});

const miscounted = (total: number | null, distinct: number): Trouble => ({
  subject: 'total',
  detail:
    total === distinct
      ? `the gateway counts ${total} records and shows rows after the last of them, in every reading of the list`
      : `the gateway counts ${total} records and lists ${distinct} distinct ones, in every reading of the list`,
});

export const noLongerListed = (landed: number, total: number): Trouble => ({
  subject: 'disappeared',
  detail: `${landed - total} of ${landed} landed records are no longer listed; they stay in the books`,
});
