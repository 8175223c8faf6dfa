/** For tools that only some need: they have a folder and a lock file of their own, and are installed at their first use. */
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';

/** Runs a program; ends this one with its status where that is not 0. What it prints goes to standard error. */
export const run = (program, args, cwd) => {
  const { status } = spawnSync(program, args, {
    cwd,
    stdio: ['ignore', 2, 'inherit'],
    shell: process.platform === 'win32',
  });
  if (status !== 0) process.exit(status ?? 1);
};

/** Installs the packages of a folder that has its own lock file, at the first use and whenever that file has changed. */
export const install = (folder) => {
  const installed = path.join(folder, 'node_modules/.package-lock.json');
  const changedAt = statSync(path.join(folder, 'package-lock.json')).mtimeMs;
  if (!existsSync(installed) || statSync(installed).mtimeMs < changedAt)
    run('npm', ['ci', '--no-audit', '--no-fund'], folder);
};
