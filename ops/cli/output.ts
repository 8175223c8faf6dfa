/** Output of commands: results on stdout, as a table or as JSON; progress on stderr. */
import { once } from 'node:events';

const { stdout, stderr } = process;
stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0); // the reader of the pipe has ended, like `head` does
});

/** Writes to stdout and waits while the reader of a pipe is slower. */
export const write = async (text: string): Promise<void> => {
  if (!stdout.write(text)) await once(stdout, 'drain');
};
export const writeLine = (text: string): Promise<void> => write(`${text}\n`);
export const writeJson = (value: unknown): Promise<void> => writeLine(JSON.stringify(value, undefined, 2));
/** Writes a message for people to stderr. */
export const say = (text: string): void => void stderr.write(`${text}\n`);

const cell = (value: unknown): string => (value === null || value === undefined ? '-' : String(value));

/** Formats rows as a table with columns as wide as needed; `none` for no rows. */
export const table = (rows: readonly Readonly<Record<string, unknown>>[]): string => {
  const columns = Object.keys(rows[0] ?? {});
  if (columns.length === 0) return 'none';
  const lines = [columns, ...rows.map((row) => columns.map((column) => cell(row[column])))];
  const widths = columns.map((_, n) => Math.max(...lines.map((line) => (line[n] ?? '').length)));
  return lines
    .map((line) =>
      line
        .map((text, n) => text.padEnd(widths[n] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
};

/** Writes a JSON array item by item, so that it is never completely in memory. */
export const jsonArray = async (items: AsyncIterable<unknown>): Promise<void> => {
  let separator = '[\n';
  for await (const item of items) {
    await write(separator + JSON.stringify(item));
    separator = ',\n';
  }
  await writeLine(separator === '[\n' ? '[]' : '\n]');
};

const BAR = 24;
const LINE_EVERY_MS = 2_000;
const DRAW_EVERY_MS = 100;

const duration = (seconds: number): string =>
  seconds < 60 ? `${Math.ceil(seconds)} s` : `${Math.floor(seconds / 60)} min ${Math.ceil(seconds % 60)} s`;

export interface Progress {
  /** @param share 0 to 1 · @param count what has been done */
  update(share: number, count: number): void;
  end(): void;
}

/**
 * Shows progress: a bar on a terminal, otherwise a line every two seconds. Rate and remaining time count from the first
 * update.
 */
export const progress = (label: string, unit: string): Progress => {
  const startedAt = performance.now();
  let first: { share: number; count: number } | undefined;
  let shownAt = startedAt - (stderr.isTTY ? DRAW_EVERY_MS : 0);
  const draw = (share: number, count: number) => {
    first ??= { share, count };
    const seconds = (performance.now() - startedAt) / 1_000;
    const rate = (count - first.count) / seconds;
    const left = share > first.share ? (seconds * (1 - share)) / (share - first.share) : undefined;
    const full = Math.round(share * BAR);
    const bar = stderr.isTTY ? ` ${'█'.repeat(full)}${'░'.repeat(BAR - full)}` : '';
    const eta = left === undefined || share >= 1 ? '' : `  ${duration(left)} left`;
    const numbers = `${Math.floor(share * 100)} %  ${count.toLocaleString('en')} ${unit}  ${Math.round(rate).toLocaleString('en')}/s`;
    return `${label}${bar} ${numbers}${eta}`;
  };
  return {
    update(share, count) {
      const now = performance.now();
      const line = draw(share, count);
      if (now - shownAt < (stderr.isTTY ? DRAW_EVERY_MS : LINE_EVERY_MS)) return;
      shownAt = now;
      stderr.write(stderr.isTTY ? `\r\u001b[2K${line}` : `${line}\n`);
    },
    end() {
      if (stderr.isTTY) stderr.write('\r\u001b[2K');
    },
  };
};
