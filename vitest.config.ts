import { defineConfig } from 'vitest/config';

/** Specs that speak to the one system that `globalSetup` starts. */
const SHARED_WORLD = [
  'test/journey.spec.ts',
  'test/{api,audit}/**/*.spec.ts',
  'test/accounts/{auth,oauth,roleRequests}.spec.ts',
  'test/bookings/{cards,http,kindsHttp,ledger,rules,services}.spec.ts',
  'test/catalog/{hotels,listings,partners,slots}.spec.ts',
];
/** Specs that start systems of their own, and kill parts of them. */
const OWN_WORLDS = ['test/faults/**/*.spec.ts', 'test/ops/scaleOut.spec.ts'];

/**
 * `check`: rules of the codebase. `domain`: pure, no I/O. `stores`: parts, on real stores of their own.
 * `system`: through the real processes. The groups run one after the other, so that none disturbs another's timing.
 */
export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // No spec replaces modules or leaves anything behind in them; loading them anew for each took a third of the time.
    isolate: false,
    projects: [
      { extends: true, test: { name: 'check', include: ['test/check/**/*.spec.ts'], sequence: { groupOrder: 0 } } },
      { extends: true, test: { name: 'domain', include: ['test/domain/**/*.spec.ts'], sequence: { groupOrder: 0 } } },
      {
        extends: true,
        test: {
          name: 'stores',
          include: ['test/**/*.spec.ts'],
          exclude: ['test/{check,domain}/**', ...SHARED_WORLD, ...OWN_WORLDS],
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'system',
          include: SHARED_WORLD,
          globalSetup: 'test/globalSetup.ts',
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: { name: 'faults', include: OWN_WORLDS, maxWorkers: 1, sequence: { groupOrder: 3 } },
      },
    ],
  },
});
