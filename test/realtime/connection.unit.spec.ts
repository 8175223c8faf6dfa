/** Connections on sockets of the test. */
import { setImmediate as tick } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { createLogger } from '../../infra/log.ts';
import { TokenRefused } from '../../infra/tokens.ts';
import { Connection, type Hub } from '../../realtime/hub/connection.ts';
import { createConnectionRegistry } from '../../realtime/hub/connectionRegistry.ts';
import { defaultLimits } from '../../realtime/hub/limits.ts';
import { closeCodes } from '../../realtime/hub/protocol.ts';
import type { TransportSocket } from '../../realtime/hub/transport.ts';

const unused = (): never => {
  throw new Error('not used');
};

/** Authenticates whoever names an account in their token. */
const stage = ({ before = async () => undefined }: { readonly before?: (token: string) => Promise<void> } = {}) => {
  const limits = { ...defaultLimits, authMs: 5_000 };
  const registry = createConnectionRegistry<Connection>(limits);
  const expiresAt = 1_000 * Math.floor(Date.now() / 1_000 + 3_600); // tokens expire in whole seconds
  const hub: Hub = {
    findChannel: unused,
    authenticate: async (accountId) => {
      await before(accountId);
      return { accountId, role: 'tourist', sessionId: 's', tokenVersion: 0, expiresAt };
    },
    checkSession: unused,
    feed: {
      add: unused,
      remove: unused,
      isListenedTo: unused,
      tell: unused,
      wake: unused,
      healthy: unused,
      stop: unused,
    },
    send: unused,
    presence: { enter: unused, leave: unused, heard: unused, askAgain: unused, tick: unused },
    changeLog: { head: unused, after: unused, page: unused, accessBeganAfter: unused },
    registry,
    limits,
    log: createLogger({ level: 'silent' }),
  };
  const open = (token: string | undefined) => {
    const codes: number[] = [];
    let isOpen = true;
    /** As uWebSockets.js does. */
    const whileOpen = (work: () => void) => {
      if (!isOpen) throw new Error('Invalid access of closed uWS.WebSocket/SSLWebSocket.');
      work();
    };
    const socket: TransportSocket = {
      send: () => whileOpen(() => undefined),
      cork: whileOpen,
      getBufferedAmount: () => 0,
      subscribe: unused,
      unsubscribe: unused,
      end: (code) => {
        codes.push(code);
        gone();
      },
    };
    const gone = () => {
      isOpen = false;
      connection.closed();
    };
    const connection = new Connection(socket, hub, '192.0.2.1', token);
    connection.opened();
    return { connection, codes, gone };
  };
  return { open, registry, expiresAt };
};

const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;

test('open sockets have no timers of their own', async () => {
  const { open, registry } = stage();
  const before = timers();
  for (let i = 0; i < 200; i++) open(i % 2 ? `account-${i}` : undefined);
  await tick();
  expect(registry.members()).toHaveLength(100);
  expect([...registry.all()]).toHaveLength(200);
  expect(timers()).toBeLessThan(before + 100);
});

test('a sweep closes the sockets that did not authenticate in time, and those whose token has expired', async () => {
  const { open, registry, expiresAt } = stage();
  const [silent, signedIn] = [open(undefined), open('account-1')];
  await tick();
  const sweep = (at: number) => {
    for (const connection of registry.all()) connection.checkDeadline(at);
    return [silent.codes, signedIn.codes];
  };
  const { auth_timeout, token_expired } = closeCodes;
  expect(sweep(Date.now())).toEqual([[], []]);
  expect(sweep(Date.now() + 6_000)).toEqual([[auth_timeout.code], []]);
  expect(sweep(expiresAt - 1)).toEqual([[auth_timeout.code], []]);
  expect(sweep(expiresAt)).toEqual([[auth_timeout.code], [token_expired.code]]);
  expect([...registry.all()]).toEqual([]);
  expect(registry.members()).toEqual([]);
});

test('the sockets of an account are counted until they close', () => {
  const registry = createConnectionRegistry<{ name: string }>({ ...defaultLimits, socketsPerAccount: 2 });
  const [a, b, c] = [{ name: 'a' }, { name: 'b' }, { name: 'c' }];
  expect([a, b, c].map((member) => registry.join('x', member))).toEqual([true, true, false]);
  registry.leave('x', c); // was refused
  registry.leave('x', a);
  registry.leave('x', a);
  expect(registry.membersOf('x')).toEqual([b]);
  expect(registry.join('x', c)).toBe(true);
  registry.leave('x', b);
  registry.leave('x', c);
  expect(registry.membersOf('x')).toEqual([]);
  expect(registry.members()).toEqual([]);
});

test('nothing is sent to a socket that closes while another token of it is checked', async () => {
  const refusals: ((error: Error) => void)[] = [];
  const { open } = stage({
    before: (token) => (token === 'ended' ? new Promise((_, reject) => refusals.push(reject)) : Promise.resolve()),
  });
  const { connection, gone, codes } = open('account-1');
  await tick();
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  connection.message(Buffer.from(JSON.stringify({ type: 'auth', token: 'ended' })), false);
  gone();
  for (const refuse of refusals) refuse(new TokenRefused('ended'));
  await tick();
  process.off('unhandledRejection', unhandled);
  expect(refusals).toHaveLength(1);
  expect(codes).toEqual([]);
  expect(unhandled).not.toHaveBeenCalled();
});
