/** Ports of a process: all that is wrong with them is said at once, and none that a setting names is chosen. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../ops/config.ts';
import { freePort, keepConfigured, settlePorts } from '../../ops/ports.ts';

const FREE = { PORT: '0', REALTIME_PORT: '0', SANDBOX_PORT: '0', METRICS_PORT: '0' };
const settle = (env: NodeJS.ProcessEnv) => {
  const config = readConfig({ ...FREE, ...env });
  return settlePorts(config.ROLE, config);
};

describe('configured ports', () => {
  const servers = [createServer(), createServer()];
  let taken: string[];
  beforeAll(async () => {
    for (const server of servers) await once(server.listen(0, '127.0.0.1'), 'listening');
    taken = servers.map((server) => String((server.address() as AddressInfo).port));
  });
  afterAll(() => {
    for (const server of servers) server.close();
  });

  test('that are taken are named at once, each with what to do', async () => {
    const [one = '', two = ''] = taken;
    await expect(settle({ PORT: one, SANDBOX_PORT: two })).rejects.toThrow(
      `PORT ${one} is taken by another program: set PORT to a free port\n` +
        `SANDBOX_PORT ${two} is taken by another program: set SANDBOX_PORT to a free port`,
    );
  });

  test.each([
    ['all', { PORT: '24001', REALTIME_PORT: '24001' }, 'PORT and REALTIME_PORT'],
    ['all', { PORT: '24001', METRICS_PORT: '24001' }, 'PORT and METRICS_PORT'],
    ['all', { SANDBOX_PORT: '24001', SANDBOX_SMTP_PORT: '24001' }, 'SANDBOX_PORT and SANDBOX_SMTP_PORT'],
    [
      'all',
      { PORT: '24001', REALTIME_PORT: '24001', SANDBOX_PORT: '24001' },
      'PORT and REALTIME_PORT and SANDBOX_PORT',
    ],
    [
      'eventstore',
      { EVENTSTORE_PORT: '24001', EVENTSTORE_HEALTH_PORT: '24001' },
      'EVENTSTORE_PORT and EVENTSTORE_HEALTH_PORT',
    ],
  ])('of %s that are the same are named together: %o', async (ROLE, env, names) => {
    await expect(settle({ ROLE, ...env })).rejects.toThrow(
      `${names} are the same port, 24001: set each to a port of its own`,
    );
  });

  test('of roles that run elsewhere do not matter', async () => {
    const [one = ''] = taken;
    expect(await settle({ ROLE: 'api', PORT: '24001', REALTIME_PORT: '24001', SANDBOX_PORT: one })).toEqual({
      PORT: '24001',
    });
  });

  test('that may move do so: to a free one, which is neither of the others', async () => {
    const [one = '', two = ''] = taken;
    const settled = await settle({ SANDBOX_PORT: '24002', SANDBOX_SMTP_PORT: one, METRICS_PORT: two });
    expect(settled.SANDBOX_PORT).toBe('24002');
    expect([one, two, '24002', settled.PORT, settled.REALTIME_PORT]).not.toContain(settled.SANDBOX_SMTP_PORT);
    expect(settled.METRICS_PORT).toBeUndefined();
  });
});

test.each([
  [{ PORT: '25001' }, 25_001],
  [{ METRICS_PORT: '25002' }, 25_002],
  [{ SANDBOX_SMTP_PORT: '25003' }, 25_003],
  [{ DATABASE_URL: 'postgresql://me:x@localhost:25004/resort' }, 25_004],
  [{ ESDB_CONNECTION_STRING: 'esdb://one:2113,two:25005?tls=false' }, 25_005],
  [{ PAYMENT_RETURN_URLS: 'http://localhost:3000,http://localhost:25006' }, 25_006],
])('a port that the settings name is not chosen, although the last start had it: %o', async (env, port) => {
  keepConfigured(readConfig(env));
  expect(await freePort('127.0.0.1', port)).not.toBe(port);
});
