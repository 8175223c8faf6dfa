/** Installs Stryker at the first use and runs it. Called by `npm run mutate`. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { install } from '../kit/install.mjs';

const here = import.meta.dirname;

install(here);
const stryker = path.join(here, 'node_modules/@stryker-mutator/core/bin/stryker.js');
const args = [stryker, 'run', path.join(here, 'stryker.config.mjs'), ...process.argv.slice(2)];
const { status } = spawnSync(process.execPath, args, { cwd: path.resolve(here, '../..'), stdio: 'inherit' });
process.exit(status ?? 1);
