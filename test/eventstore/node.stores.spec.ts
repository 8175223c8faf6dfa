/** The embedded node as a process: one per directory, clear start errors, and an end when it cannot write. */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EventStoreDBClient, jsonEvent, NO_STREAM, START, UnavailableError } from '@eventstore/db-client';
import { afterEach, expect, it } from 'vitest';
import { type EmbeddedNode, startEmbeddedNode } from '../../eventstore/embedded/start.ts';
import { freePort } from '../../ops/ports.ts';
import { collect, events, fill, numbersIn } from './conformance/support.ts';

const entry = fileURLToPath(new URL('../../dist/eventstore/embedded/main.js', import.meta.url));
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const newDirectory = (): string => {
  const directory = mkdtempSync(join(tmpdir(), 'event-node-'));
  cleanups.push(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
};

const start = async (directory: string, port = 0): Promise<EmbeddedNode & { exited: Promise<string> }> => {
  let exit: (reason: string) => void = () => undefined;
  const exited = new Promise<string>((resolve) => {
    exit = resolve;
  });
  const node = await startEmbeddedNode({ directory, port, onExit: exit });
  cleanups.push(() => node.stop());
  return { ...node, exited };
};

const connect = (connectionString: string): EventStoreDBClient => {
  const client = EventStoreDBClient.connectionString(connectionString);
  cleanups.push(() => client.dispose());
  return client;
};

const portOf = ({ connectionString }: EmbeddedNode): number => Number(new URL(connectionString).port);

/** The first line that the process prints. */
const firstLine = async (child: ChildProcess): Promise<string> => {
  let printed = '';
  for await (const chunk of child.stdout ?? []) {
    printed += chunk;
    if (printed.includes('\n')) return printed.trim();
  }
  throw new Error(`ended without a line: ${printed}`);
};

it('refuses a directory that another node uses, without disturbing that node', async () => {
  const directory = newDirectory();
  const first = await start(directory);
  await expect(start(directory)).rejects.toThrow(/in use by another event node/);
  const client = connect(first.connectionString);
  await fill(client, 'booking-1', 2);
  expect(await numbersIn(client.readStream('booking-1'))).toEqual([0, 1]);
});

it('starts at once after another node was killed', async () => {
  const directory = newDirectory();
  const killed = await start(directory);
  process.kill(killed.pid, 'SIGKILL');
  expect(await killed.exited).toBe('ended with SIGKILL');
  await start(directory);
  expect(readdirSync(directory).filter((file) => file.endsWith('.lock'))).toHaveLength(1);
});

it('reports that its port is taken', async () => {
  const first = await start(newDirectory());
  await expect(start(newDirectory(), portOf(first))).rejects.toThrow(`cannot listen on 127.0.0.1:${portOf(first)}`);
});

it('keeps events and continues revisions after a restart', async () => {
  const directory = newDirectory();
  const first = await start(directory);
  const before = connect(first.connectionString);
  const same = events(3);
  const written = await before.appendToStream('booking-1', same, { expectedRevision: NO_STREAM });
  await before.setStreamMetadata('booking-1', { maxCount: 2 });
  await first.stop();

  const after = connect((await start(directory, portOf(first))).connectionString);
  expect(await after.appendToStream('booking-1', same, { expectedRevision: NO_STREAM })).toEqual(written);
  const next = await after.appendToStream('booking-1', jsonEvent({ type: 'Happened', data: { n: 3 } }), {
    expectedRevision: 2n,
  });
  expect(next.position?.commit).toBeGreaterThan(written.position?.commit ?? 0n);
  expect(await numbersIn(after.readStream('booking-1'))).toEqual([2, 3]);
});

it('answers accepted writes and ends subscriptions as unavailable when it is stopped', async () => {
  const node = await start(newDirectory());
  const client = connect(node.connectionString);
  await fill(client, 'booking-1', 1);
  const subscription = client.subscribeToAll({ fromPosition: START });
  await once(subscription, 'caughtUp');
  const dropped = once(subscription, 'error');
  const appends = Array.from({ length: 200 }, (_, n) => fill(client, `booking-${n + 2}`, 1));
  const [outcomes] = await Promise.all([Promise.allSettled(appends), node.stop()]);
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(UnavailableError);
  expect((await dropped)[0]).toBeInstanceOf(UnavailableError);
});

it('ends when its parent process has ended', async () => {
  const child = fork(entry, ['--dir', newDirectory(), '--port', '0', '--with-parent'], { execArgv: [] });
  await once(child, 'message');
  child.disconnect();
  expect(await once(child, 'exit')).toEqual([0, null]);
});

it('prints its connection string, and stops on SIGINT', async () => {
  const child = spawn(process.execPath, [entry, '--dir', newDirectory(), '--port', '0']);
  expect(await firstLine(child)).toMatch(/^esdb:\/\/127\.0\.0\.1:\d+\?tls=false&connectionName=[\w-]{43}$/);
  child.kill('SIGINT');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

it('is configured by the settings of the system, and by flags before them', async () => {
  const directory = newDirectory();
  const [port, healthPort] = [await freePort('127.0.0.1'), await freePort('127.0.0.1')];
  const env = { ...process.env, DATA_DIR: directory, EVENTSTORE_PORT: String(port), EVENTSTORE_HEALTH_PORT: '70000' };
  const child = spawn(process.execPath, [entry, '--health-port', String(healthPort)], { env });
  expect(await firstLine(child)).toContain(`esdb://127.0.0.1:${port}?tls=false&connectionName=`);
  for (const file of readdirSync(join(directory, 'eventstore')))
    expect(statSync(join(directory, 'eventstore', file)).mode & 0o077, file).toBe(0);
  expect(readdirSync(join(directory, 'eventstore'))).toContain('events.mdb');
  expect((await fetch(`http://127.0.0.1:${healthPort}/health/live`)).status).toBe(204);
  child.kill('SIGINT');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

it.each([
  [['--prot', '0'], {}, "Unknown option '--prot'"],
  [['somewhere'], {}, 'Unexpected argument'],
  [['--port', 'x'], {}, '--port x is not a port'],
  [[], { EVENTSTORE_PORT: '99999' }, 'EVENTSTORE_PORT 99999 is not a port'],
])('refuses to start with %j %j', async (args, env, complaint) => {
  const child = spawn(process.execPath, [entry, ...args], {
    env: { ...process.env, DATA_DIR: newDirectory(), ...env },
  });
  let printed = '';
  child.stderr.on('data', (chunk) => {
    printed += chunk;
  });
  expect(await once(child, 'close')).toEqual([1, null]);
  expect(printed).toContain(complaint);
});

it('ends when the disk is full, and keeps all acknowledged events', async () => {
  const directory = newDirectory();
  // The limit on file sizes (in blocks of 512 or 1024 bytes) stands in for a full disk.
  const command = 'ulimit -f 4000; exec "$0" "$@"';
  const child = spawn('/bin/sh', ['-c', command, process.execPath, entry, '--dir', directory, '--port', '0']);
  let complaint = '';
  child.stderr.on('data', (chunk) => {
    complaint += chunk;
  });
  // After what it has printed.
  const exited = once(child, 'close');
  const client = connect(await firstLine(child));
  let acknowledged = 0;
  const large = () => jsonEvent({ type: 'Large', data: { n: acknowledged, text: 'x'.repeat(100_000) } });
  await expect(
    (async () => {
      while (acknowledged < 1000) {
        await client.appendToStream('booking-1', large());
        acknowledged++;
      }
    })(),
  ).rejects.toThrow();
  expect(await exited).toEqual([1, null]);
  expect(complaint).toMatch(/^event node: the log could not be written: .+$/m);

  const again = connect((await start(directory)).connectionString);
  const kept = await collect(again.readStream('booking-1'));
  expect(acknowledged).toBeGreaterThan(0);
  expect(kept.length).toBe(acknowledged);
});
