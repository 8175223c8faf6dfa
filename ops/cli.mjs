#!/usr/bin/env node
/** Starts the command line as it was built. It builds nothing: what a running system was started from stays as it is. */
import { existsSync } from 'node:fs';

const built = new URL('../dist/bundle/cli.mjs', import.meta.url);
if (existsSync(built)) await import(built.href);
else {
  process.stderr.write('nothing has been built here yet: run npm run build once (npm start does it, too)\n');
  process.exitCode = 1;
}
