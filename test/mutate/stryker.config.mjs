/** Mutation tests of what decides about money: `npm run mutate` (CONTRIBUTING.md, "Mutation tests"). */

const isCallOf = ({ node }, object) =>
  node.type === 'CallExpression' && node.callee.type === 'MemberExpression' && node.callee.object.name === object;

/** `if (state.status === 'none') return state;` */
const isOfNoStream = ({ node }) =>
  node.type === 'IfStatement' && node.test.right?.value === 'none' && node.consequent.argument?.name === 'state';

/** Why what is at this place is not mutated; undefined: it is. */
const shouldIgnore = (path) => {
  if (isCallOf(path, 'Type')) return 'A schema: the golden file of events states it.';
  if (path.node.type === 'ObjectExpression' && path.parent.callee?.name === 'Rejected')
    return 'Facts of a refusal, beside its words.';
  if (isOfNoStream(path)) return 'For the compiler: each stream begins with the event that makes it.';
  return undefined;
};
export const strykerPlugins = [{ kind: 'Ignore', name: 'declarations-and-words', value: { shouldIgnore } }];

export default {
  mutate: [
    'domain/core/money.ts',
    'domain/{bookings,commissions,ledger,passes,payments,promotions,purchases}/*.ts',
    '!domain/*/index.ts',
  ],
  mutator: {
    // Most are words for people. Those that decide something (kinds, states, reasons, names of events) are types: with
    // another text the code does not compile. The names of accounts are written out in the specs of the ledger.
    excludedMutations: ['StringLiteral'],
  },
  plugins: ['@stryker-mutator/vitest-runner', import.meta.filename],
  ignorers: ['declarations-and-words'],
  testRunner: 'vitest',
  // Finding the specs that are related to a file works only for the first run of a process; coverage says the same.
  vitest: { configFile: 'test/mutate/vitest.config.ts', related: false },
  coverageAnalysis: 'perTest',
  // What a module computes as it loads is not mutated: each such mutant would load all specs anew, which takes minutes.
  ignoreStatic: true,
  concurrency: 2,
  dryRunTimeoutMinutes: 30,
  // With TypeScript 7 it must name no file that exists: what it would change in one, it asks the former compiler.
  tsconfigFile: 'none',
  disableTypeChecks: false,
  tempDirName: '.data/mutate',
  ignorePatterns: ['/dist', '/.data', '/client/dist', '/test/bench/dist', '/test/bench/node_modules'],
  reporters: ['clear-text', 'html'],
  clearTextReporter: { allowEmojis: false, logTests: false, reportTests: false, skipFull: true },
  htmlReporter: { fileName: '.data/mutate.html' },
};
