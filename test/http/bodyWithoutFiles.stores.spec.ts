/** A body that arrives when its process can open no file. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const script = path.join(import.meta.dirname, 'bodyWithoutFiles.mjs');
/** What reading the first body of a process comes to. */
const read = async (how: 'loaded' | 'unprepared'): Promise<unknown> => {
  const { stdout } = await promisify(execFile)('sh', [
    '-c',
    `ulimit -n 400; exec "$0" "$1" ${how}`,
    process.execPath,
    script,
  ]);
  return JSON.parse(stdout);
};

it('is read all the same: what that takes is loaded at the start', async () => {
  expect(await read('loaded')).toEqual({ place: 'lift 3' });
});

it('is never called wrong JSON for a reason of our own', async () => {
  expect(await read('unprepared')).toEqual({ code: 'EMFILE' });
});
