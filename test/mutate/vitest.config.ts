/** The unit specs as `npm run mutate` runs them (stryker.config.mjs). */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: '.',
    include: ['test/{core,bookings,commissions,ledger,passes,payments,promotions,purchases}/*.unit.spec.ts'],
    setupFiles: ['test/kit/random.ts', 'test/kit/endsWithFile.ts', 'test/kit/randomOfProduct.ts'],
    // Ends of itself what waits in vain; a mutant that loops is ended by Stryker.
    testTimeout: 240_000,
    experimental: { fsModuleCache: true },
    // As all specs: to load every module anew for each would take most of the time.
    isolate: false,
  },
});
