/** A hub whose process has no file descriptors left, because others keep connections open. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { until } from '../kit/until.ts';
import { overEachTransport } from './stage.ts';

const script = path.join(import.meta.dirname, 'fewDescriptors.mjs');

await overEachTransport((transport) => {
  test('says so once, takes nobody until there is room, and goes on', async () => {
    const child = spawn('sh', ['-c', `ulimit -n 100; exec "$0" "$1" ${transport}`, process.execPath, script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines: { readonly msg: string; readonly port?: number }[] = [];
    createInterface(child.stdout).on('line', (line) => lines.push(JSON.parse(line)));
    const said = (msg: string) => lines.filter((line) => line.msg === msg);
    const clients = new Set<Socket>();
    try {
      const { port = 0 } = await until(() => said('listening')[0]);
      /** Whether a new connection gets an answer, and a good one. */
      const isTaken = () =>
        new Promise<boolean>((resolve) => {
          const client = connect(port, '127.0.0.1');
          client.on('error', () => undefined); // `close` follows
          client.once('close', () => resolve(false));
          client.once('data', (data) => {
            resolve(/^HTTP\/1.1 200/.test(String(data)));
            client.destroy();
          });
          client.write('GET /health HTTP/1.1\r\nhost: x\r\n\r\n');
        });
      expect(await isTaken()).toBe(true);
      for (let n = 0; n < 150; n += 1) {
        const client = connect(port, '127.0.0.1');
        client.on('error', () => undefined);
        clients.add(client);
      }
      await until(() => said('too many files and connections are open').length > 0);
      await until(async () => !(await isTaken()));
      for (const client of clients) client.destroy();
      await until(isTaken);
      expect(said('too many files and connections are open')).toHaveLength(1);
    } finally {
      for (const client of clients) client.destroy();
      child.kill();
      await once(child, 'exit');
    }
  });
});
