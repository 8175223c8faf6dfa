/** `npm run storm -- chat` or `erasure`: outside the ordinary suite, because they take minutes and both cores. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/faults/*.storm.ts'],
    // Each has the machine to itself.
    fileParallelism: false,
    // Thousands of clients in one process: with room for what they throw away, collecting it seldom takes both cores from the system.
    execArgv: ['--max-semi-space-size=64'],
    testTimeout: 240_000,
    // Starting and stopping, on a machine that others use as well.
    hookTimeout: 900_000,
    reporters: 'verbose',
  },
});
