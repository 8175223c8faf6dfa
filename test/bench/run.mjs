/** Installs the peers at the first use, compiles the benchmarks and runs them. Called by `npm run bench`. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { install, run } from '../kit/install.mjs';

const here = import.meta.dirname;
const root = path.resolve(here, '../..');

install(here);
run(process.execPath, [path.join(root, 'node_modules/typescript/bin/tsc'), '-p', here], root);
const main = path.join(here, 'dist/test/bench/main.js');
const { status } = spawnSync(process.execPath, ['--enable-source-maps', main, ...process.argv.slice(2)], { stdio: 'inherit' });
process.exit(status ?? 1);
