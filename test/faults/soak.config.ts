/** `npm run soak`: outside the ordinary suite, because it takes half an hour. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { include: ['test/faults/*.soak.ts'], testTimeout: 24 * 3_600_000, hookTimeout: 200_000, reporters: 'verbose' },
});
