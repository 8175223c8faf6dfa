/** Processes whose output goes to a full disk, or to nobody. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { scratchFolder } from '../kit/scratch.ts';

const dist = (path: string) => JSON.stringify(new URL(`../../dist/${path}`, import.meta.url).href);
/** Writes far more than a pipe holds, then answers messages until it is told to end. */
const PROGRAM = `
  import { createLogger } from ${dist('infra/log.js')};
  import { endProcess } from ${dist('infra/output.js')};
  const log = createLogger();
  for (let line = 0; line < 3_000; line += 1) log.info({ text: 'x'.repeat(1_000) }, 'a line');
  process.on('message', (message) => process.send(message));
  process.on('SIGTERM', () => void endProcess(0));
  process.send('ready');`;

let child: ChildProcess | undefined;
afterEach(() => void child?.kill('SIGKILL'));

const start = async (stdout: number | 'pipe'): Promise<ChildProcess> => {
  child = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM], {
    stdio: ['ignore', stdout, 'ignore', 'ipc'],
  });
  const [word] = await once(child, 'message');
  expect(word).toBe('ready');
  return child;
};

const answers = async (process: ChildProcess): Promise<void> => {
  process.send('still there?');
  expect(await once(process, 'message')).toEqual(['still there?', undefined]);
};

test.runIf(existsSync('/dev/full'))('a process goes on on a full disk, and ends when it is told to', async () => {
  const full = openSync('/dev/full', 'w');
  const process = await start(full);
  closeSync(full);
  await answers(process);
  process.kill('SIGTERM');
  expect(await once(process, 'exit')).toEqual([0, null]);
});

test('a process goes on although nobody reads its output, and ends when it is told to', async () => {
  const folder = await scratchFolder('output');
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  const unread = openSync(join(folder, 'pipe'), 'r+');
  const process = await start(unread);
  await answers(process);
  process.kill('SIGTERM');
  // Node alone would wait for the write for ever.
  expect(await once(process, 'exit')).toEqual([null, 'SIGKILL']);
  closeSync(unread);
  await rm(folder, { recursive: true });
});

test('a process goes on when the reader of its output has ended', async () => {
  const process = await start('pipe');
  process.stdout?.destroy();
  await answers(process);
  process.kill('SIGTERM');
  expect(await once(process, 'exit')).toEqual([0, null]);
});
