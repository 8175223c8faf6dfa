/** The command line against a running system, as ops use it. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const CLI = path.resolve(import.meta.dirname, '../../dist/ops/cli/main.js');

/** Runs a command that ends with `--json`, and returns what it printed. Throws with its output when it fails. */
// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of the output, field by field
export const runCli = async (dataDir: string, ...args: string[]): Promise<any> => {
  const { stdout } = await run(process.execPath, [CLI, ...args], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, NODE_ENV: 'test', LOG_LEVEL: 'warn' },
    timeout: 120_000,
    maxBuffer: 64 * 1024 * 1024,
  });
  return JSON.parse(stdout);
};
