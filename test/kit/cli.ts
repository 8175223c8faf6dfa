/** The command line against a running system, as ops use it. */
import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { endsWithSpec } from './ending.ts';

export const CLI = path.resolve(import.meta.dirname, '../../dist/bundle/cli.mjs');
const SESSION = path.resolve(import.meta.dirname, 'cliSession.mjs');
const envOf = (settings: Readonly<Record<string, string>>) => ({
  PATH: process.env.PATH,
  NODE_ENV: 'test',
  LOG_LEVEL: 'warn',
  ...settings,
});

/** What a command left behind, whether it succeeded or not. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a command that ends with `--json` printed. @throws with what it wrote when it failed */
// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of the output, field by field
const printed = ({ code, stdout, stderr }: Ended): any => {
  if (code !== 0) throw Object.assign(new Error(`exit code ${code}: ${stderr}`), { code, stdout, stderr });
  return JSON.parse(stdout);
};

/** Runs a command in a process of its own, with these settings alone. */
export const runProcess = (
  settings: Readonly<Record<string, string>>,
  args: readonly string[],
  timeoutMs = 600_000,
): Promise<Ended> =>
  new Promise((resolve) => {
    const options = { env: envOf(settings), timeout: timeoutMs, maxBuffer: 64 * 1024 * 1024 };
    execFile(process.execPath, [CLI, ...args], options, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
    );
  });

/** Runs a command that ends with `--json`, and returns what it printed. Throws with its output when it fails or takes longer. */
export const cliWithin =
  (timeoutMs: number) =>
  // biome-ignore lint/suspicious/noExplicitAny: as above
  async (dataDir: string, ...args: string[]): Promise<any> =>
    printed(await runProcess({ DATA_DIR: dataDir }, args, timeoutMs));
export const runCli = cliWithin(600_000);

export interface CliSession {
  /** Like `runCli`. One command at a time. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  run(...args: string[]): Promise<any>;
  /** Runs a command that may fail. One at a time. */
  ended(...args: string[]): Promise<Ended>;
  /** The same with further settings, for this command alone. */
  endedWith(settings: Readonly<Record<string, string>>, ...args: string[]): Promise<Ended>;
}

/** One process for many commands, until the spec ends: most of the time of a command is that of starting its process. */
export const startCli = (dataDir: string): CliSession => {
  const env = envOf({ DATA_DIR: dataDir });
  const child = fork(SESSION, { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  endsWithSpec(async () => child.kill('SIGKILL'));
  const endedWith: CliSession['endedWith'] = async (settings, ...args) => {
    child.send({ args, settings });
    const [answer] = (await once(child, 'message', { signal: AbortSignal.timeout(120_000) })) as [Ended];
    return answer;
  };
  const ended: CliSession['ended'] = (...args) => endedWith({}, ...args);
  return { ended, endedWith, run: async (...args) => printed(await ended(...args)) };
};
