import { expect, test } from 'vitest';
import { chooseTransport } from '../../realtime/hub/chooseTransport.ts';
import { startWsTransport } from '../../realtime/hub/wsTransport.ts';

const missing = async () => ({ missing: 'uWebSockets.js has no binary for Node v99 on sparc' });
const record = () => {
  const lines: string[] = [];
  return { lines, log: { info: (_: unknown, line?: string) => void lines.push(line ?? '') } };
};

test('auto falls back to ws, with one line that says why, what it costs and what to do', async () => {
  const { lines, log } = record();
  expect(await chooseTransport('auto', log, missing)).toBe(startWsTransport);
  expect(lines).toHaveLength(1);
  for (const part of [
    'ws, because uWebSockets.js has no binary for Node v99',
    'memory',
    'CPU',
    'npm install uNetworking/',
  ])
    expect(lines[0]).toContain(part);
});

test('uws is refused when it cannot be loaded, with what to do', async () => {
  await expect(chooseTransport('uws', record().log, missing)).rejects.toThrow(
    /REALTIME_TRANSPORT=uws, but .* v99 .* REALTIME_TRANSPORT=auto/,
  );
});

test('ws never loads uWebSockets.js', async () => {
  const { lines, log } = record();
  const load = () => Promise.reject(new Error('loaded'));
  expect(await chooseTransport('ws', log, load)).toBe(startWsTransport);
  expect(lines).toHaveLength(1);
});
