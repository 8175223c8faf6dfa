/**
 * Writes to the output of this process without waiting for anybody: on a full disk, or into a pipe that nobody reads, the
 * process goes on, keeps a bounded number of lines until they can be written, and counts those that it drops.
 */
import { write as writeBytes } from 'node:fs';
import { isatty } from 'node:tty';
import { metrics } from './metrics.ts';

/** Characters that wait to be written. What comes then is dropped. */
const MAX_WAITING = 1024 * 1024;
/** Characters of one write: what a container's log driver takes as one piece. */
const MAX_WRITE = 16 * 1024;
/** How often a write that failed is repeated. */
const AGAIN_MS = 200;
/** How long the end of a process waits for its last lines. */
const LAST_LINES_MS = 1_000;

export interface Output {
  write(text: string): void;
  /** Calls `tell` with the number of texts that were dropped, once the output takes texts again. */
  onDropped(tell: (dropped: number) => void): void;
  /** Resolves when nothing waits any more, or when writing fails. */
  settled(): Promise<void>;
  /** Whether a write has not returned. It cannot be stopped, and Node waits for it before it exits. */
  isWriting(): boolean;
}

type Write = (bytes: Buffer, done: (error: NodeJS.ErrnoException | null, written: number) => void) => void;

/** The other end was closed, and stays so. */
const isClosed = ({ code }: NodeJS.ErrnoException): boolean => code === 'EPIPE' || code === 'EBADF';

export const createOutput = (write: Write): Output => {
  let waiting: string[] = [];
  let length = 0;
  /** What is being written, without what was written of it. */
  let rest: Buffer = Buffer.alloc(0);
  let state: 'idle' | 'writing' | 'failing' | 'closed' = 'idle';
  let dropped = 0;
  let tellDropped: (dropped: number) => void = () => undefined;
  let listeners: (() => void)[] = [];

  const drop = (texts: number): void => {
    dropped += texts;
    metrics.logLinesDropped.inc(texts);
  };
  const become = (next: typeof state): void => {
    state = next;
    const settled = listeners;
    listeners = [];
    for (const listener of settled) listener();
  };
  const nextPiece = (): Buffer => {
    let count = 0;
    let size = 0;
    for (const text of waiting) {
      if (count > 0 && size + text.length > MAX_WRITE) break;
      count += 1;
      size += text.length;
    }
    length -= size;
    return Buffer.from(waiting.splice(0, count).join(''));
  };
  const finish = (): void => {
    become('idle');
    const count = dropped;
    dropped = 0;
    if (count > 0) tellDropped(count);
  };
  const goOn = (): void => {
    if (rest.length === 0) rest = nextPiece();
    if (rest.length === 0) {
      finish();
      return;
    }
    state = 'writing';
    write(rest, (error, written) => {
      if (!error) {
        rest = rest.subarray(written);
        return goOn();
      }
      if (isClosed(error)) {
        drop(waiting.length);
        waiting = [];
        return become('closed');
      }
      become('failing');
      const again = setTimeout(goOn, AGAIN_MS);
      // A slow reader is waited for; a process that has nothing else to do ends without lines that a full disk refuses.
      if (error.code !== 'EAGAIN') again.unref();
    });
  };

  return {
    write: (text) => {
      if (state === 'closed' || length + text.length > MAX_WAITING) return drop(1);
      waiting.push(text);
      length += text.length;
      if (state === 'idle') goOn();
    },
    onDropped: (tell) => {
      tellDropped = tell;
    },
    settled: () =>
      new Promise((resolve) => {
        if (state === 'writing') listeners.push(resolve);
        else resolve();
      }),
    isWriting: () => state === 'writing',
  };
};

const toDescriptor =
  (descriptor: number): Write =>
  (bytes, done) =>
    writeBytes(descriptor, bytes, done);

/** Where the lines of the log go. */
export const output = createOutput(toDescriptor(1));
/** Where it goes why a process cannot start. */
export const errorOutput = createOutput(toDescriptor(2));

/** Says why the process with this role ends, for an operator: as text on a terminal, elsewhere as a line of the log. */
export const sayFatal = (role: string, why: string): void => {
  const line = { level: 'fatal', time: new Date().toISOString(), role, pid: process.pid, msg: why };
  errorOutput.write(`${isatty(2) ? `${role}: ${why}` : JSON.stringify(line)}\n`);
};

/**
 * Ends this process when its last lines are written, at the latest after a second. Every process with a log ends by this
 * function: `process.exit` alone waits for ever for a write into a pipe that nobody reads.
 */
export const endProcess = async (exitCode: number): Promise<never> => {
  const outputs = [output, errorOutput];
  const late = new Promise((resolve) => setTimeout(resolve, LAST_LINES_MS));
  await Promise.race([Promise.all(outputs.map(({ settled }) => settled())), late]);
  if (outputs.some(({ isWriting }) => isWriting())) process.kill(process.pid, 'SIGKILL');
  process.exit(exitCode);
};
