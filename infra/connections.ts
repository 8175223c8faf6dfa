/** Bounds on what connections cost, whatever is sent over them, and their orderly end. */
import type { Server, ServerResponse } from 'node:http';
import { type Socket, Server as TcpServer } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sleep } from './retry.ts';

export interface ConnectionLimits {
  /** Connections in all. */
  readonly total: number;
  /** Connections from one peer address, without those that were upgraded; undefined behind a proxy, whose address all have. */
  readonly perAddress: number | undefined;
  /** A connection on which no byte moves for this long is closed: a client that does not read its answer, too. */
  readonly idleMs: number;
}

/** The connections that share a limit. */
interface Group {
  /** Undefined: the connections of all addresses. */
  readonly address: string | undefined;
  readonly limit: number;
  count: number;
  /** Those without a request, quiet longest first. */
  readonly quiet: Set<Socket>;
}

export interface Connections {
  /** An upgraded connection is no longer in use: like one without a request, it may close when there are too many. */
  release(socket: Socket): void;
  /**
   * Ends them without cutting a request. No connection is accepted any more, and every answer says that it is the last one of
   * its connection. Those that are kept open have a second in which their next request is answered so; then those without a
   * request are closed. Resolves when all are closed.
   * @param limitMs after so long, those that are left are cut
   * @param graceMs instead of that second
   * @returns how many were cut
   */
  drain(limitMs: number, graceMs?: number): Promise<number>;
}

/** In which a client hears of the end by the answer to its next request. */
const GRACE_MS = 1_000;

const newGroup = (limit: number, address?: string): Group => ({ address, limit, count: 0, quiet: new Set() });

/**
 * Beyond a limit, the connection closes that has been without a request for longest. So whoever only keeps connections
 * open cannot keep others at the same address from a call for help. A new one is closed only when all others are in use.
 * An upgraded connection is in use until it is released. It no longer counts for its address: whoever upgrades it knows
 * who is at its other end, and has limits of its own.
 */
export const limitConnections = (server: Server, { total, perAddress, idleMs }: ConnectionLimits): Connections => {
  server.timeout = idleMs;
  const all = newGroup(total);
  const byAddress = new Map<string, Group>();
  const groupsOf = new WeakMap<object, Set<Group>>();
  /** Requests that are not answered yet: a client may send the next one before. */
  const answering = new Map<Socket, Set<ServerResponse>>();
  const allClosed = new AbortController();
  let isDraining = false;
  let isGraceOver = false;

  const setQuiet = (socket: Socket, isQuiet: boolean) => {
    for (const { quiet } of groupsOf.get(socket) ?? []) {
      quiet.delete(socket);
      if (isQuiet) quiet.add(socket);
    }
  };
  const groupOf = (address: string): Group[] => {
    if (perAddress === undefined) return [];
    const group = byAddress.get(address) ?? newGroup(perAddress, address);
    byAddress.set(address, group);
    return [group];
  };
  const leave = (socket: Socket, group: Group) => {
    if (!groupsOf.get(socket)?.delete(group)) return;
    group.quiet.delete(socket);
    group.count -= 1;
    if (group.address !== undefined && group.count === 0) byAddress.delete(group.address);
    if (isDraining && all.count === 0) allClosed.abort();
  };
  const leaveAll = (socket: Socket) => {
    for (const group of groupsOf.get(socket) ?? []) leave(socket, group);
  };

  server.on('connection', (socket: Socket) => {
    const groups = groupsOf.get(socket) ?? new Set(); // One that was given back to the server is already in some.
    if (groups.size === 0) socket.once('close', () => leaveAll(socket));
    groupsOf.set(socket, groups);
    for (const group of [...groupOf(socket.remoteAddress ?? ''), all]) {
      if (!groups.has(group)) group.count += 1;
      groups.add(group);
    }
    setQuiet(socket, true);
    for (const { count, limit, quiet } of groups) {
      const [longest] = quiet;
      if (count <= limit || !longest) continue;
      setQuiet(longest, false);
      longest.destroy();
    }
  });
  server.prependListener('request', ({ socket }, response) => {
    const ofSocket = answering.get(socket) ?? new Set();
    answering.set(socket, ofSocket.add(response));
    setQuiet(socket, false);
    if (isDraining) response.shouldKeepAlive = false;
    response.once('close', () => {
      ofSocket.delete(response);
      if (ofSocket.size > 0) return;
      answering.delete(socket);
      if (!socket.destroyed) setQuiet(socket, true);
      if (isGraceOver) socket.destroySoon();
    });
  });
  server.prependListener('upgrade', (_, upgraded) => {
    const socket = upgraded as Socket;
    setQuiet(socket, false);
    for (const group of groupsOf.get(socket) ?? []) if (group !== all) leave(socket, group);
  });

  return {
    release: (socket) => setQuiet(socket, !socket.destroyed),
    drain: async (limitMs, graceMs = GRACE_MS) => {
      isDraining = true;
      const end = performance.now() + limitMs;
      for (const responses of answering.values()) for (const response of responses) response.shouldKeepAlive = false;
      await nextTurn(); // Whoever has connected is accepted: the system would cut them.
      // Not that of HTTP, which also closes what is kept open, at once.
      const closed = new Promise<void>((resolve) => TcpServer.prototype.close.call(server, () => resolve()));
      if (all.count > 0) await sleep(graceMs, allClosed.signal);
      isGraceOver = true;
      await nextTurn(); // What has arrived is seen, and no longer quiet.
      for (const socket of all.quiet) socket.destroy();
      if (all.count > 0) await sleep(end - performance.now(), allClosed.signal);
      const left = all.count;
      server.closeAllConnections();
      if (left === 0) await closed;
      return left;
    },
  };
};
