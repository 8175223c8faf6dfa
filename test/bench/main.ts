/**
 * `npm run bench [-- <name>… --small --json --write --copy-to <server>]`: measures the lines with these names, or all.
 * `--small` takes some minutes for all of them; `--write` puts the table into `docs/benchmarks.md`. `--against <folder>`: beside
 * the build in that folder (`against.ts`).
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { compareBuilds } from './against.ts';
import { type Bench, FULL, isReached, type Line, SMALL } from './line.ts';
import { lines } from './lines/index.ts';
import { asMarkdown, asText, type Measured } from './report.ts';
import { lazyResort } from './resort.ts';

const DOCUMENT = path.resolve('docs/benchmarks.md');
const MARKS = ['<!-- run -->', '<!-- /run -->'] as const;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    small: { type: 'boolean' },
    json: { type: 'boolean' },
    write: { type: 'boolean' },
    list: { type: 'boolean' },
    'copy-to': { type: 'string' },
    against: { type: 'string' },
    turns: { type: 'string', default: '3' },
  },
});

const say = (text: string): void => void process.stderr.write(`${text}\n`);

const chosen = (): readonly Line[] => {
  const unknown = positionals.filter((name) => !lines.some((line) => line.name === name));
  if (unknown.length === 0)
    return positionals.length === 0 ? lines : lines.filter(({ name }) => positionals.includes(name));
  say(`There is no line ${unknown.join(', ')}. The lines are: ${lines.map(({ name }) => name).join(', ')}.`);
  return process.exit(2);
};

/** Machine, versions and size of this run. */
const describeRun = (): string => {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`;
  const size = options.small ? ', small' : '';
  const day = new Date().toISOString().slice(0, 10);
  return `${day}, commit ${commit}, Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'CPU'}, ${memory}${size}.`;
};

const measure = async (line: Line, bench: Bench): Promise<Measured> => {
  say(`measuring: ${line.name}`);
  try {
    const measured = { line, rows: await line.run(bench) };
    say(`${asText([measured])}\n`);
    return measured;
  } catch (error) {
    const missing = error instanceof Error ? error.message : String(error);
    say(error instanceof Error && error.name !== 'NotMeasured' ? (error.stack ?? missing) : missing);
    return { line, rows: [], missing: missing.split('\n')[0] ?? '' };
  }
};

const writeDocument = (table: string): void => {
  const text = readFileSync(DOCUMENT, 'utf8');
  const [start, end] = [text.indexOf(MARKS[0]) + MARKS[0].length, text.indexOf(MARKS[1])];
  writeFileSync(DOCUMENT, `${text.slice(0, start)}\n${table}\n${text.slice(end)}`);
};

if (options.list) {
  process.stdout.write(`${lines.map(({ name, work, goal }) => `${name}: ${work}; ${goal}`).join('\n')}\n`);
  process.exit();
}
const selected = chosen();
if (options.against !== undefined) {
  const names = selected.map(({ name }) => name);
  const how = { turns: Number(options.turns), isSmall: options.small === true };
  process.stdout.write(`${describeRun()}\n\n${compareBuilds(options.against, names, how)}\n`);
  process.exit();
}
const size = options.small ? SMALL : FULL;
const resort = lazyResort(size.hotels);
const bench: Bench = { size, resort: resort.get, stopResort: resort.stop, copyTo: options['copy-to'] };
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void resort.stop().finally(() => process.exit(130)));
const run = describeRun();
const measured: Measured[] = [];
try {
  for (const line of selected) measured.push(await measure(line, bench));
} finally {
  await resort.stop();
}
const json = { run, lines: measured.map(({ line: { name }, rows, missing }) => ({ name, rows, missing })) };
process.stdout.write(`${options.json ? JSON.stringify(json, undefined, 2) : `${run}\n\n${asText(measured)}`}\n`);
if (options.write) writeDocument(asMarkdown(measured, run));
const failed = measured.some(
  ({ rows, missing }) => missing !== undefined || rows.some((row) => !row.goals.every(isReached)),
);
process.exit(failed ? 1 : 0);
