/**
 * `npm run explore`: runs all specs with random cases again and again, each round with a new seed, for EXPLORE_MINUTES (10).
 * `npm run explore -- inspect payments` takes only spec files with one of these texts in their path.
 *
 * A failure is printed with the command that repeats it. It ends with 1 if anything failed. What it finds becomes an
 * example in the spec.
 */
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');
const MINUTES = Number(process.env.EXPLORE_MINUTES ?? 10);
const VITEST = path.join(ROOT, 'node_modules/vitest/vitest.mjs');
const IS_RANDOM = /from 'fast-check'|\/kit\/random\.ts'/;
/** Of the text of a failure: the case and why it failed. */
const SHOWN = 4_000;

const filters = process.argv.slice(2);
const specs = readdirSync(path.join(ROOT, 'test'), { recursive: true })
  .map((file) => path.join('test', file))
  .filter((file) => file.endsWith('.spec.ts'))
  .filter((file) => IS_RANDOM.test(readFileSync(path.join(ROOT, file), 'utf8')))
  .filter((file) => filters.length === 0 || filters.some((filter) => file.includes(filter)))
  .sort();
if (specs.length === 0 || !(MINUTES > 0)) {
  console.error(specs.length === 0 ? `No spec with random cases matches ${filters.join(' ')}.` : 'EXPLORE_MINUTES must be positive.');
  process.exit(2);
}

const scratch = mkdtempSync(path.join(tmpdir(), 'resort-explore-'));
const report = path.join(scratch, 'report.json');

/** @returns the report of a round, as vitest's json reporter writes it; null when vitest itself failed, which is printed */
const play = (seed) =>
  new Promise((resolve) => {
    rmSync(report, { force: true });
    const child = spawn(process.execPath, [VITEST, 'run', '--reporter=json', `--outputFile=${report}`, ...specs], {
      cwd: ROOT,
      env: { ...process.env, SEED: String(seed) },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let errors = '';
    child.stderr.on('data', (text) => {
      errors = (errors + text).slice(-SHOWN);
    });
    child.once('close', (code) => {
      const result = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : { numPassedTests: 0 };
      if (result.numPassedTests > 0) return resolve(result);
      console.log(`vitest ended with ${code}, and no test has passed:\n${errors}`);
      resolve(null);
    });
  });

/** @returns how many tests failed, each of which it prints */
const say = (seed, { testResults }) => {
  let failed = 0;
  for (const { name, status, message, assertionResults } of testResults) {
    const file = path.relative(ROOT, name);
    const wrong = assertionResults.filter((test) => test.status === 'failed');
    const failures = wrong.map((test) => [test.fullName, test.failureMessages.join('\n')]);
    if (status === 'failed' && wrong.length === 0) failures.push(['(the file)', message]);
    failed += failures.length;
    for (const [title, text] of failures)
      console.log(`\nFAILED ${file}: ${title}\n${text.slice(0, SHOWN)}\nRepeat: SEED=${seed} npx vitest run ${file}\n`);
  }
  return failed;
};

const end = performance.now() + MINUTES * 60_000;
let [rounds, passed, failed] = [0, 0, 0];
console.log(`${specs.length} spec files, for ${MINUTES} minutes`);
do {
  const seed = randomInt(2 ** 31);
  const result = await play(seed);
  rounds += 1;
  passed += result?.numPassedTests ?? 0;
  failed += result ? say(seed, result) : 1;
  console.log(`round ${rounds}: SEED=${seed}: ${result?.numPassedTests ?? 0} passed, ${failed} failed so far`);
} while (performance.now() < end);
rmSync(scratch, { recursive: true, force: true });
console.log(`${rounds} rounds: ${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
