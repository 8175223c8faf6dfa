/** `npm run simulate`: outside the ordinary suite, because it takes half an hour. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/simulate/*.simulate.ts'],
    testTimeout: 12 * 3_600_000,
    hookTimeout: 240_000,
    reporters: 'verbose',
  },
});
