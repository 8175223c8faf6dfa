/** Starts the embedded event node as a child process and stops it again. */
import { type ChildProcess, fork } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { FolderInUse } from '../../infra/fileLock.ts';
import { errorOutput } from '../../infra/output.ts';
import type { Trait } from './traits.ts';

export interface EmbeddedNodeOptions {
  readonly directory: string;
  /** A free one when left out. */
  readonly port?: number;
  /** Port of `GET /health/live`; 0 or left out: none. */
  readonly healthPort?: number;
  readonly traits?: readonly Trait[];
  /** Called with the reason when the node ends without having been stopped. */
  readonly onExit: (reason: string) => void;
}

export interface EmbeddedNode {
  readonly connectionString: string;
  readonly pid: number;
  /** Resolves when the process is gone. Safe to call again. */
  readonly stop: () => Promise<void>;
}

const START_MS = 15_000;
const STOP_MS = 5_000;
/** How much of the node's last output is kept to explain why it ended. */
const LAST_WORDS = 2000;

/**
 * The heap may get three times as large as what is used before old objects are collected. V8 alone lets it grow by a
 * quarter, because it counts only what the main thread takes: marking beside it took 0.15 s of CPU every second.
 */
const FLAGS = ['--heap-growing-percent=200'];

/** The child runs compiled JavaScript, also when the caller is a TypeScript test, so that it starts fast. */
const entry = fileURLToPath(
  import.meta.url.endsWith('.ts')
    ? new URL('../../dist/eventstore/embedded/main.js', import.meta.url)
    : new URL('./main.js', import.meta.url),
);

/** The container image is without the packages of the embedded stores. */
const refuseWithoutPackage = (): void => {
  try {
    createRequire(import.meta.url).resolve('lmdb');
  } catch {
    throw new Error('there is no embedded event store here, as in the container image: set ESDB_CONNECTION_STRING');
  }
};

/**
 * Rejects with the node's own message when it cannot start, as with a port that is taken or a disk that is full.
 * @throws FolderInUse
 */
export const startEmbeddedNode = async ({
  directory,
  port = 0,
  healthPort = 0,
  traits = [],
  onExit,
}: EmbeddedNodeOptions): Promise<EmbeddedNode> => {
  refuseWithoutPackage();
  const args = ['--dir', directory, '--port', String(port), '--health-port', String(healthPort), '--with-parent'];
  const child = fork(entry, [...args, ...traits.map((trait) => `--${trait}`)], {
    execArgv: FLAGS,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const { exited, isGone } = watchExit(child);
  const started = await Promise.race([firstWord(child), exited, timeout(START_MS)]);
  if (started === undefined || 'reason' in started) {
    child.kill('SIGKILL');
    throw new Error(`the embedded event node did not start: ${started?.reason ?? `no answer in ${START_MS} ms`}`);
  }
  let stopping = false;
  exited.then(({ reason }) => stopping || onExit(reason));
  return {
    connectionString: started.ready,
    pid: child.pid ?? 0,
    stop: async () => {
      stopping = true;
      if (!isGone()) child.kill('SIGTERM');
      if ((await Promise.race([exited, timeout(STOP_MS)])) === undefined) child.kill('SIGKILL');
      await exited;
    },
  };
};

/** What the node says when it is ready, or when it cannot start. */
type Word = { readonly ready: string } | { readonly failed: string; readonly inUse: boolean };

const firstWord = (child: ChildProcess): Promise<{ ready: string } | { reason: string }> =>
  new Promise((resolve, reject) => {
    child.once('message', (word: Word) => {
      if ('ready' in word) resolve(word);
      else if (word.inUse) reject(new FolderInUse(word.failed));
      else resolve({ reason: word.failed });
    });
  });

const watchExit = (child: ChildProcess): { exited: Promise<{ reason: string }>; isGone: () => boolean } => {
  let lastWords = '';
  let gone = false;
  child.stderr?.setEncoding('utf8').on('data', (words: string) => {
    errorOutput.write(words);
    lastWords = (lastWords + words).slice(-LAST_WORDS);
  });
  const exited = new Promise<{ reason: string }>((resolve) => {
    child.once('error', (error) => resolve({ reason: error.message }));
    child.once('close', (code, signal) => resolve({ reason: lastWords.trim() || `ended with ${signal ?? code}` }));
  });
  exited.then(() => {
    gone = true;
  });
  return { exited, isGone: () => gone };
};

const timeout = (ms: number): Promise<undefined> =>
  new Promise((resolve) => {
    setTimeout(() => resolve(undefined), ms).unref();
  });
