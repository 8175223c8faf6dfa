/** The command line against a running system, as ops use it. */
import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const CLI = path.resolve(import.meta.dirname, '../../dist/bundle/cli.mjs');
const SESSION = path.resolve(import.meta.dirname, 'cliSession.mjs');
const envOf = (dataDir: string) => ({
  PATH: process.env.PATH,
  DATA_DIR: dataDir,
  NODE_ENV: 'test',
  LOG_LEVEL: 'warn',
});

/** Runs a command that ends with `--json`, and returns what it printed. Throws with its output when it fails or takes longer. */
export const cliWithin =
  (timeoutMs: number) =>
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of the output, field by field
  async (dataDir: string, ...args: string[]): Promise<any> => {
    const { stdout } = await run(process.execPath, [CLI, ...args], {
      env: envOf(dataDir),
      timeout: timeoutMs,
      maxBuffer: 64 * 1024 * 1024,
    });
    return JSON.parse(stdout);
  };
export const runCli = cliWithin(600_000);

export interface CliSession {
  /** Like `runCli`. One command at a time. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  run(...args: string[]): Promise<any>;
  stop(): void;
}

/** One process for many commands that succeed. What a process of its own shows, as its exit code, needs `runCli`. */
export const startCli = (dataDir: string): CliSession => {
  const child = fork(SESSION, { env: envOf(dataDir), stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  return {
    run: async (...args) => {
      child.send(args);
      const [answer] = (await once(child, 'message', { signal: AbortSignal.timeout(120_000) })) as [
        { stdout: string; error?: string },
      ];
      if (answer.error) throw new Error(answer.error);
      return JSON.parse(answer.stdout);
    },
    stop: () => void child.kill('SIGKILL'),
  };
};
