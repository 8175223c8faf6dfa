/** `npm run storm`: outside the ordinary suite, because it takes minutes and both cores. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { include: ['test/faults/*.storm.ts'], testTimeout: 240_000, hookTimeout: 200_000, reporters: 'verbose' },
});
