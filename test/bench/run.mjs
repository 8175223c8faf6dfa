/** Installs the peers at the first use, compiles the benchmarks and runs them. Called by `npm run bench`. */
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';

const here = import.meta.dirname;
const root = path.resolve(here, '../..');
const isWindows = process.platform === 'win32';

const run = (program, args, cwd) => {
  const { status } = spawnSync(program, args, { cwd, stdio: ['ignore', 2, 'inherit'], shell: isWindows });
  if (status !== 0) process.exit(status ?? 1);
};

const installed = path.join(here, 'node_modules/.package-lock.json');
const modified = (file) => statSync(path.join(here, file)).mtimeMs;
if (!existsSync(installed) || statSync(installed).mtimeMs < modified('package-lock.json'))
  run('npm', ['ci', '--no-audit', '--no-fund'], here);
run(process.execPath, [path.join(root, 'node_modules/typescript/bin/tsc'), '-p', here], root);
const main = path.join(here, 'dist/test/bench/main.js');
const { status } = spawnSync(process.execPath, ['--enable-source-maps', main, ...process.argv.slice(2)], { stdio: 'inherit' });
process.exit(status ?? 1);
