// What the setup of a test run provides to every test file.

/** The server, and why its template is not usable ('' if it is). */
type TestServer = { url: string; problem: string };

declare module 'vitest' {
  interface ProvidedContext {
    database: TestServer;
    /** A folder for files of tests, removed when the run ends. */
    scratch: string;
  }
}
