/** The credentials for a TURN server, against a real coturn where one is installed. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectCalls } from '../../commands/calls/connect.ts';
import { turnCredentials } from '../../commands/calls/turn.ts';
import { HOUR_MS, instantOf } from '../../domain/core/instants.ts';
import { freePort } from '../../ops/ports.ts';
import { allocate } from './stun.ts';

const SERVER = { secret: 'a secret of this spec', urls: ['turn:turn.test:3478'] };
const isInstalled = spawnSync('turnserver', ['--version']).error === undefined;

describe('TURN credentials', () => {
  it('name their expiry and the user, and are signed', () => {
    const user = '018f0000-0000-7000-8000-000000000001';
    expect(turnCredentials({ ...SERVER, secret: 'north' }, user, '2027-01-01T00:00:00.900Z')).toEqual({
      username: `1798765200:${user}`,
      credential: 'Y7PfldB/xSt/H+/Y3FiAieRFZLw=',
      ttl: 3_600,
      urls: SERVER.urls,
    });
  });

  it('need both settings, and a development server stands in outside production only', () => {
    const turnOf = (config: object) => connectCalls({ NODE_ENV: 'production', ...config } as never).settings.turn;
    expect(turnOf({})).toBeNull();
    expect(turnOf({ NODE_ENV: 'development' })?.urls).toHaveLength(2);
    expect(turnOf({ TURN_SECRET: SERVER.secret, TURN_URLS: SERVER.urls })).toEqual(SERVER);
  });
});

describe.skipIf(!isInstalled)(`coturn${isInstalled ? '' : ' (skipped: coturn is not installed)'}`, () => {
  let folder: string;
  let port: number;
  let server: ChildProcess;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'resort-turn-'));
    port = await freePort('127.0.0.1');
    const auth = ['--use-auth-secret', `--static-auth-secret=${SERVER.secret}`, '--realm=resort.test'];
    const local = [`--listening-port=${port}`, '--listening-ip=127.0.0.1', '--relay-ip=127.0.0.1'];
    const rest = ['-n', '--no-tls', '--no-dtls', '--no-cli', '--log-file=stdout'];
    const files = [`--userdb=${folder}/users`, `--pidfile=${folder}/pid`];
    server = spawn('turnserver', [...rest, ...auth, ...local, ...files], { stdio: 'ignore' });
  });
  afterAll(async () => {
    server.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });

  it.each([
    ['ours', 0, (credential: string) => credential, 'allocated'],
    [
      'a wrong signature',
      0,
      (credential: string) => `${credential.startsWith('A') ? 'B' : 'A'}${credential.slice(1)}`,
      401,
    ],
    ['ones that have expired', -2 * HOUR_MS, (credential: string) => credential, 401],
  ])('with %s', async (_, age, altered, expected) => {
    const { username, credential } = turnCredentials(SERVER, randomUUID(), instantOf(Date.now() + age));
    expect(await allocate(port, username, altered(credential))).toBe(expected);
  });
});
