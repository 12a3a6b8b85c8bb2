import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Short files of long tests. vitest starts the largest files first, and each of these would end alone, long after all others. */
const LONG = /(defects|killed|demo|workers-go-on|alterations|rebuild)\.check\.ts$/;

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification): boolean => LONG.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

const COMMON = {
  testTimeout: 120_000, // whole nights, on a machine that does other work too
  hookTimeout: 120_000,
  isolate: false, // what a helper keeps, all files of a worker share: loading everything anew for each took a third of the time
  expect: { poll: { timeout: 20_000 } }, // what a busy machine may take; the default is a second
  server: { deps: { external: [/\/dist\/src\//] } }, // the built program is run as it is, not as vite would read it
};

// biome-ignore lint/style/noDefaultExport: vitest reads its configuration from the default export
export default defineConfig({
  test: {
    projects: [
      { test: { ...COMMON, name: 'tests', include: ['test/**/*.test.ts'] } },
      {
        test: {
          ...COMMON,
          name: 'checks',
          include: ['test/**/*.check.ts'],
          testTimeout: 300_000,
          hookTimeout: 600_000,
        },
      }, // longer, or in need of other programs
    ],
    globalSetup: ['test/global-setup.ts'], // of the whole run: a project that inherited it would start a second server
    maxWorkers: 3, // one more than a small machine has cores: a file that waits leaves its core to another
    sequence: { sequencer: LongFirst },
  },
});
