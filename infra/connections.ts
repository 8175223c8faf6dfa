/** Bounds on what connections cost, whatever is sent over them. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

export interface ConnectionLimits {
  /** Connections in all. */
  readonly total: number;
  /** Connections from one peer address; undefined behind a proxy, whose address all have. */
  readonly perAddress: number | undefined;
  /** A connection on which no byte moves for this long is closed: a client that does not read its answer, too. */
  readonly idleMs: number;
}

/** The connections that share a limit. */
interface Group {
  readonly limit: number;
  count: number;
  /** Those without a request, quiet longest first. */
  readonly quiet: Set<Socket>;
}

const newGroup = (limit: number): Group => ({ limit, count: 0, quiet: new Set() });

/**
 * Beyond a limit, the connection closes that has been without a request for longest. So whoever only keeps connections
 * open cannot keep others at the same address from a call for help. A new one is closed only when all others are in use.
 */
export const limitConnections = (server: Server, { total, perAddress, idleMs }: ConnectionLimits): void => {
  server.timeout = idleMs;
  const all = newGroup(total);
  const byAddress = new Map<string, Group>();
  const groupsOf = new WeakMap<object, readonly Group[]>();

  const setQuiet = (socket: Socket, isQuiet: boolean) => {
    for (const { quiet } of groupsOf.get(socket) ?? []) {
      quiet.delete(socket);
      if (isQuiet) quiet.add(socket);
    }
  };
  const groupOf = (address: string): Group[] => {
    if (perAddress === undefined) return [];
    const group = byAddress.get(address) ?? newGroup(perAddress);
    byAddress.set(address, group);
    return [group];
  };
  const leave = (socket: Socket, address: string) => {
    setQuiet(socket, false);
    for (const group of groupsOf.get(socket) ?? []) group.count -= 1;
    groupsOf.delete(socket);
    if (byAddress.get(address)?.count === 0) byAddress.delete(address);
  };

  server.on('connection', (socket: Socket) => {
    if (groupsOf.has(socket)) return; // one that was given back to the server
    const address = socket.remoteAddress ?? '';
    const groups = [...groupOf(address), all];
    groupsOf.set(socket, groups);
    socket.once('close', () => leave(socket, address));
    for (const group of groups) group.count += 1;
    setQuiet(socket, true);
    for (const { count, limit, quiet } of groups) {
      const [longest] = quiet;
      if (count <= limit || !longest) continue;
      setQuiet(longest, false);
      longest.destroy();
    }
  });
  server.on('request', ({ socket }, response) => {
    setQuiet(socket, false);
    response.once('close', () => socket.destroyed || setQuiet(socket, true));
  });
  server.on('upgrade', (_, socket) => setQuiet(socket as Socket, false));
};
