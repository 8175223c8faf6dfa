/** The table, for people (text), for programs (`--json`) and for the documentation (Markdown). */
import { type Goal, isReached, type Line, type Row } from './line.ts';
import type { Result, Spread } from './rounds.ts';

/** What came of a line: rows, or why there are none. */
export interface Measured {
  readonly line: Line;
  readonly rows: readonly Row[];
  readonly missing?: string;
}

/** Three digits that mean something, and never more than three after the point. */
export const digits = (value: number): string => {
  if (Number.isNaN(value)) return '?';
  const decimals = value >= 100 ? 0 : value >= 10 ? 1 : value >= 0.1 || value === 0 ? 2 : 3;
  return value.toLocaleString('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
};

export const spread = ({ median, least, most }: Spread): string =>
  `${digits(median)} (${digits(least)}–${digits(most)})`;
const goalText = (goal: Goal): string =>
  `${digits(goal.value)} ${goal.what}, ${goal.is} ${goal.limit}: ${isReached(goal) ? 'reached' : 'NOT reached'}`;

const HEADS = [
  'line',
  'contender',
  'operations/s (spread)',
  'CPU ms',
  'of which',
  'statements',
  'calls',
  'p50 / p99 ms',
];

const cells = (row: Row, result: Result, index: number): string[] => {
  const { rate, cpu, cpuBy = {}, counts = {}, p50, p99 } = result;
  const parts = Object.entries(cpuBy).filter(([, ms]) => ms >= 0.005 * (cpu?.median ?? 1));
  return [
    index === 0 ? row.name : '',
    result.name,
    spread(rate),
    cpu ? digits(cpu.median) : '–',
    parts.length > 1 ? parts.map(([name, ms]) => `${name} ${digits(ms)}`).join(', ') : '',
    counts.statements === undefined ? '–' : digits(counts.statements),
    counts.calls === undefined ? '–' : digits(counts.calls),
    p50 === undefined || p99 === undefined ? '–' : `${digits(p50)} / ${digits(p99)}`,
  ];
};

/** Lines of text. @param table its first row has the heads */
export const aligned = (table: readonly string[][]): string[] => {
  const widths = (table[0] ?? []).map((_, column) => Math.max(...table.map((line) => line[column]?.length ?? 0)));
  return table.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
};

const notes = ({ line, rows, missing }: Measured): string[] => [
  ...rows.flatMap((row) => row.goals.map((goal) => `${row.name}: ${goalText(goal)}`)),
  ...rows.flatMap(({ name, note }) => (note === undefined ? [] : [`${name}: ${note}`])),
  ...(missing === undefined ? [] : [`${line.name}: not measured: ${missing}`]),
];

export const asText = (measured: readonly Measured[]): string => {
  const table = measured.flatMap(({ rows }) => rows.flatMap((row) => row.results.map((one, n) => cells(row, one, n))));
  return [...aligned([HEADS, ...table]), '', ...measured.flatMap(notes)].join('\n');
};

const markdownRow = (values: readonly string[]): string => `| ${values.join(' | ')} |`;

/** The numbers of a run, as `docs/benchmarks.md` has them. */
export const asMarkdown = (measured: readonly Measured[], run: string): string => {
  const table = measured.flatMap(({ rows }) => rows.flatMap((row) => row.results.map((one, n) => cells(row, one, n))));
  const goals = measured.flatMap(({ rows }) =>
    rows.flatMap((row) =>
      row.goals.map((goal) => [
        row.name,
        goal.what,
        digits(goal.value),
        `${goal.is} ${goal.limit}`,
        isReached(goal) ? 'yes' : '**no**',
      ]),
    ),
  );
  const unmeasured = measured.flatMap(({ line, missing }) =>
    missing === undefined ? [] : [`- ${line.name}: ${missing}`],
  );
  return [
    run,
    '',
    ...[['line', 'number', 'value', 'goal', 'reached'], Array(5).fill('---'), ...goals].map(markdownRow),
    '',
    ...[HEADS, Array(HEADS.length).fill('---'), ...table].map(markdownRow),
    ...(unmeasured.length > 0 ? ['', 'Not measured in this run:', '', ...unmeasured] : []),
  ].join('\n');
};
