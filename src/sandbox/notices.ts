// Notices: what happens on the platform, for the notification socket.
import type { WireObject } from './wire-json.ts';

export type Notice = {
  /** The user whose notice it is. */
  readonly userId: string;
  /** The name of the event, as `address-book-updated-v1`. */
  readonly type: string;
  readonly payload: WireObject;
};

export type Notices = {
  readonly publish: (notice: Notice) => void;
  /** Returns the function that ends the subscription. */
  readonly subscribe: (listener: (notice: Notice) => void) => () => void;
};

/** A place for notices, without listeners. */
export const noticesOf = (): Notices => {
  const listeners = new Set<(notice: Notice) => void>();
  return {
    publish: (notice) => {
      for (const listener of listeners) listener(notice);
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
};
