/** The command line of the product (`npm run events` and so on) on the stores of a benchmark. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { BenchStores } from './stores.ts';
import { rootOfProduct, SETTINGS } from './system.ts';

export interface Ran {
  readonly seconds: number;
  readonly output: string;
}

/** The settings with which a process of the product finds these stores. */
export const environmentOf = ({ directory, postgres, node }: BenchStores): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  ...SETTINGS,
  DATA_DIR: path.join(directory, 'system'),
  DATABASE_URL: postgres.url,
  ESDB_CONNECTION_STRING: node.connectionString,
});

/** Runs one command to its end. @throws Error when it fails */
export const runCommand = async (stores: BenchStores, ...args: readonly string[]): Promise<Ran> => {
  const begun = performance.now();
  const child = spawn(process.execPath, [path.join(rootOfProduct, 'dist/bundle/cli.mjs'), ...args], {
    env: environmentOf(stores),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [output, complaint] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    complaint = (complaint + chunk.toString()).slice(-2_000);
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${complaint}`);
  return { seconds: (performance.now() - begun) / 1_000, output };
};
