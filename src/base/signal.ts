// Signals that end a command.

/** Resolves once the signal is aborted; never without one. */
export const aborted = (signal: AbortSignal | undefined): Promise<void> =>
  new Promise((done) => {
    if (signal?.aborted) done();
    signal?.addEventListener('abort', () => done(), { once: true });
  });
