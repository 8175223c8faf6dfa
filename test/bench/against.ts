/**
 * `npm run bench -- <line>… --against <folder>`: the lines for this build and for the one in another folder, a worktree of a
 * former commit with its `dist` and `node_modules`. Each is measured by its own benchmark, in turn: this, the other, this,
 * the other.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import type { Row } from './line.ts';
import { aligned, spread } from './report.ts';
import { type Result, spreadOf, WITHOUT_PEERS } from './rounds.ts';
import { rootOfProduct } from './system.ts';

const BUILDS = ['this', 'other'] as const;
type Build = (typeof BUILDS)[number];

interface Report {
  readonly lines: readonly { readonly name: string; readonly rows: readonly Row[]; readonly missing?: string }[];
}

/** Compiles the benchmark in a folder, whatever the compiler says: a former one may lack types of today. */
const compile = (folder: string): void => {
  const compiler = path.join(rootOfProduct, 'node_modules/typescript/bin/tsc');
  spawnSync(process.execPath, [compiler, '-p', path.join(folder, 'test/bench')], { cwd: folder, stdio: 'ignore' });
};

/** @throws Error for a line that was not measured */
const measureIn = (folder: string, lines: readonly string[], isSmall: boolean): Row[] => {
  const program = path.join(folder, 'test/bench/dist/test/bench/main.js');
  const { stdout } = spawnSync(process.execPath, [program, ...lines, '--json', ...(isSmall ? ['--small'] : [])], {
    cwd: folder,
    env: { ...process.env, ...WITHOUT_PEERS },
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  });
  const report = JSON.parse(stdout || '{"lines":[]}') as Report;
  return lines.flatMap((line) => {
    const measured = report.lines.find(({ name }) => name === line);
    if (measured && measured.missing === undefined) return measured.rows;
    throw new Error(`${line} was not measured in ${folder}: ${measured?.missing ?? 'its benchmark ended early'}`);
  });
};

/** One number of one contender, turn by turn. */
type Turns = Readonly<Record<Build, number[]>>;

const NUMBERS = {
  'CPU ms': ({ cpu }: Result) => cpu?.median,
  statements: ({ counts }: Result) => counts?.statements,
  calls: ({ counts }: Result) => counts?.calls,
};

/** An operation: of less, a ratio says nothing. */
const SELDOM = 0.005;

const tableOf = (turns: ReadonlyMap<string, Turns>): string[][] =>
  [...turns].map(([name, { this: ours, other }]) => {
    const ratios = ours.map((value, turn) => value / (other[turn] ?? Number.NaN));
    return [
      ...name.split('\t'),
      spread(spreadOf(ours)),
      spread(spreadOf(other)),
      other.every((value) => value < SELDOM) ? '–' : spread(spreadOf(ratios)),
    ];
  });
/** @returns the table: numbers an operation, and ratios of the two runs of each turn. @throws Error as `measureIn` */
export const compareBuilds = (
  folder: string,
  lines: readonly string[],
  { turns: count, isSmall }: { readonly turns: number; readonly isSmall: boolean },
): string => {
  const folders = { this: rootOfProduct, other: path.resolve(folder) };
  compile(folders.other);
  const turns = new Map<string, Turns>();
  for (let turn = 0; turn < count; turn += 1)
    for (const build of BUILDS) {
      process.stderr.write(`turn ${turn + 1} of ${count}: ${folders[build]}\n`);
      for (const row of measureIn(folders[build], lines, isSmall))
        for (const result of row.results)
          for (const [what, numberOf] of Object.entries(NUMBERS)) {
            const [name, value] = [[row.name, result.name, what].join('\t'), numberOf(result)];
            if (value === undefined) continue;
            const known = turns.get(name) ?? { this: [], other: [] };
            turns.set(name, known);
            known[build].push(value);
          }
    }
  const heads = ['line', 'contender', 'an operation', 'this build (spread)', 'the other', 'this / other'];
  return aligned([heads, ...tableOf(turns)]).join('\n');
};
