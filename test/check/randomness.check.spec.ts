/** The same commit has the same result: no test draws from anything but the seed of the run (`test/kit/random.ts`). */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const TESTS = path.resolve(import.meta.dirname, '..');
/** Numbers that nobody can repeat, the clock as a seed, and properties with a seed of their own. */
const UNREPEATABLE = [
  /\bMath\.random\b/,
  /\brandomInt\b/,
  /[Ss]eed\w* *[=:(] *Date\.now/,
  /numRuns: .*\bseed\b|\bseed\b.*\bnumRuns:/,
];
/** What draws seeds for others to repeat, what measures, what gives the product the seed, and what others have written. */
const EXCEPT = /^((explore|bench)\/|kit\/randomOfProduct\.ts$)|\/node_modules\//;

it('nothing random in tests comes from outside of the seed', () => {
  const files = readdirSync(TESTS, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.m?ts$/.test(file) && !EXCEPT.test(file) && path.join(TESTS, file) !== import.meta.filename,
  );
  expect(files.length).toBeGreaterThan(500);
  const found = files.flatMap((file) =>
    readFileSync(path.join(TESTS, file), 'utf8')
      .split('\n')
      .flatMap((line, n) =>
        UNREPEATABLE.some((pattern) => pattern.test(line)) ? [`${file}:${n + 1}: ${line.trim()}`] : [],
      ),
  );
  expect(found).toEqual([]);
});
