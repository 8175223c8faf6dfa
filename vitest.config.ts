import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { WAIT_MS } from './test/kit/until.ts';

/** Specs are named by kind, so that no list of files is needed: `test/<module>/<subject>.<kind>.spec.ts`. */
const specs = (kind: string) => [`test/**/*.${kind}.spec.ts`];

/** What takes longest begins first: otherwise it would go on alone, when all else has ended. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ project }: TestSpecification) => project.name === 'system';
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

/**
 * The kinds, from the smallest to the largest. Groups run one after the other: `http` alone, because its specs share one
 * system.
 *
 * - `check`: rules of the codebase (layers, golden files, documents)
 * - `unit`: pure, no I/O
 * - `stores`: parts of the system, on real stores of their own
 * - `http`: through the real processes; all of them share one running system
 * - `system`: starts systems of its own, and kills parts of them
 */
export default defineConfig({
  test: {
    // For a machine under heavy load. Tests wait for conditions, so that only those that fail wait so long.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: WAIT_MS } },
    // No spec replaces modules or leaves anything behind in them; loading them anew for each took a third of the time.
    isolate: false,
    // What was compiled for one run serves the next: most of the time of a run of a few specs.
    experimental: { fsModuleCache: true },
    // One seed for all that is random.
    setupFiles: ['test/kit/random.ts', 'test/kit/endsWithFile.ts'],
    // The default leaves a core to those who edit while the tests run: on two cores, half of them.
    maxWorkers: '100%',
    sequence: { sequencer: LongestFirst },
    projects: [
      { extends: true, test: { name: 'check', include: specs('check'), sequence: { groupOrder: 0 } } },
      {
        extends: true,
        test: {
          name: 'unit',
          include: specs('unit'),
          setupFiles: ['test/kit/randomOfProduct.ts'],
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'stores',
          include: specs('stores'),
          globalSetup: 'test/kit/globalSetup.stores.ts',
          // More than cores: these specs wait for their stores half of the time.
          maxWorkers: 4,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'http',
          include: specs('http'),
          globalSetup: 'test/kit/globalSetup.http.ts',
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
      { extends: true, test: { name: 'system', include: specs('system'), maxWorkers: 4, sequence: { groupOrder: 1 } } },
    ],
  },
});
