/**
 * A scripted cluster: three small gRPC servers in front of one event node. A script says who leads, which of them are
 * frozen (they accept connections and answer nothing, as a stopped process does), and what else goes wrong.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Server as NetServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  Client,
  credentials,
  Metadata,
  type MethodDefinition,
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  type ServerWritableStream,
  status,
} from '@grpc/grpc-js';
import { supportedFeatures } from '../../eventstore/embedded/features.ts';
import { runNode } from '../../eventstore/embedded/node.ts';
import { encode, LEADER } from '../../eventstore/messages.ts';

const FOLLOWER = 6;
const asIs = (bytes: Buffer): Buffer => bytes;

const method = (path: string, requestStream: boolean, responseStream: boolean): MethodDefinition<Buffer, Buffer> => ({
  path,
  requestStream,
  responseStream,
  requestSerialize: asIs,
  requestDeserialize: asIs,
  responseSerialize: asIs,
  responseDeserialize: asIs,
});

const READ = '/event_store.client.streams.Streams/Read';
const BATCH_APPEND = '/event_store.client.streams.Streams/BatchAppend';
const service = {
  read: method(READ, false, true),
  batchAppend: method(BATCH_APPEND, true, true),
  gossip: method('/event_store.client.gossip.Gossip/Read', false, false),
  features: method('/event_store.client.server_features.ServerFeatures/GetSupportedMethods', false, false),
};

interface ScriptedNode {
  readonly port: number;
  /** Accepts connections, and answers nothing until it is thawed. */
  freeze(): void;
  thaw(): void;
  /** Calls that reached this node, by method. */
  readonly calls: { read: number; batchAppend: number; features: number };
  /** While set, answers to appends are held back. */
  holdsAnswers: boolean;
}

export interface ScriptedCluster {
  readonly nodes: readonly [ScriptedNode, ScriptedNode, ScriptedNode];
  readonly connectionString: string;
  /** Index of the leader as each node sees it; undefined: none. */
  views: [number | undefined, number | undefined, number | undefined];
  /** Makes all nodes see this leader. */
  elect(leader: number | undefined): void;
  failsFeatures: boolean;
  /** What the user may not do. */
  denies: 'read' | 'append' | undefined;
  stop(): Promise<void>;
}

/** Passes connections on to `target`. Frozen, it accepts them and reads nothing. */
const startProxy = async (target: () => number) => {
  const sockets = new Set<Socket>();
  let frozen = false;
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy());
    if (frozen) socket.pause();
  };
  const server: NetServer = createServer((from) => {
    const to = connect(target(), '127.0.0.1');
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      one.on('data', (chunk) => other.write(chunk)).on('close', () => other.destroy());
      keep(one);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    freeze: () => {
      frozen = true;
      for (const socket of sockets) socket.pause();
    },
    thaw: () => {
      frozen = false;
      for (const socket of sockets) socket.resume();
    },
    stop: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
};

export const startCluster = async (): Promise<ScriptedCluster> => {
  const directory = await mkdtemp(path.join(tmpdir(), 'resort-cluster-'));
  const fail = (error: unknown): never => {
    throw error;
  };
  const log = await runNode(directory, 0, fail, fail, { isOpen: true });
  const behind = new Client(new URL(log.connectionString).host, credentials.createInsecure());
  const stops: (() => unknown)[] = [];
  const nodes: ScriptedNode[] = [];

  const gossip = (self: number): Buffer =>
    encode('ClusterInfo', {
      members: nodes.map((node, index) => ({
        instanceId: { string: '00000000-0000-4000-8000-000000000001' },
        state: cluster.views[self] === index ? LEADER : FOLLOWER,
        isAlive: true,
        httpEndPoint: { address: '127.0.0.1', port: node.port },
      })),
    });

  /** What a node that does not lead answers. */
  const notLeader = (self: number) => {
    const leader = nodes[cluster.views[self] ?? -1];
    if (!leader) return { code: status.UNAVAILABLE, details: 'Server Is Not Ready' };
    const metadata = new Metadata();
    metadata.set('exception', 'not-leader');
    metadata.set('leader-endpoint-host', '127.0.0.1');
    metadata.set('leader-endpoint-port', String(leader.port));
    return { code: status.NOT_FOUND, details: 'Leader info available', metadata };
  };

  const accessDenied = () => {
    const metadata = new Metadata();
    metadata.set('exception', 'access-denied');
    return { code: status.PERMISSION_DENIED, details: 'Access Denied', metadata };
  };

  const startNode = async (self: number): Promise<void> => {
    const server = new Server();
    const calls = { read: 0, batchAppend: 0, features: 0 };
    const leads = (metadata: Metadata) =>
      cluster.views[self] === self || !metadata.get('requires-leader').includes('true');
    server.addService(service, {
      gossip: (_call: unknown, answer: (error: null, reply: Buffer) => void) => answer(null, gossip(self)),
      features: (_call: unknown, answer: (error: object | null, reply?: Buffer) => void) => {
        calls.features += 1;
        if (cluster.failsFeatures) answer({ code: status.INTERNAL, details: 'scripted' });
        else answer(null, supportedFeatures());
      },
      read: (call: ServerWritableStream<Buffer, Buffer>) => {
        calls.read += 1;
        if (cluster.denies === 'read') return call.emit('error', accessDenied());
        if (!leads(call.metadata)) return call.emit('error', notLeader(self));
        const answer = behind.makeServerStreamRequest(READ, asIs, asIs, call.request, call.metadata);
        answer.on('data', (reply) => call.write(reply)).on('end', () => call.end());
        answer.on('error', (error) => call.emit('error', error));
        call.on('cancelled', () => answer.cancel());
        return undefined;
      },
      batchAppend: (call: ServerDuplexStream<Buffer, Buffer>) => {
        calls.batchAppend += 1;
        if (cluster.denies === 'append') return call.emit('error', accessDenied());
        if (!leads(call.metadata)) return call.emit('error', notLeader(self));
        const onward = behind.makeBidiStreamRequest(BATCH_APPEND, asIs, asIs, call.metadata);
        const held: Buffer[] = [];
        call.on('data', (request: Buffer) => onward.write(request)).on('end', () => onward.end());
        onward.on('data', (reply: Buffer) => {
          held.push(reply);
          if (!nodes[self]?.holdsAnswers) for (const one of held.splice(0)) call.write(one);
        });
        onward.on('error', (error) => call.emit('error', error)).on('end', () => call.end());
        call.on('cancelled', () => onward.cancel());
        return undefined;
      },
    });
    const inner = await new Promise<number>((resolve, reject) => {
      server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) =>
        error ? reject(error) : resolve(port),
      );
    });
    const proxy = await startProxy(() => inner);
    nodes.push({ port: proxy.port, freeze: proxy.freeze, thaw: proxy.thaw, calls, holdsAnswers: false });
    stops.push(
      () => proxy.stop(),
      () => server.forceShutdown(),
    );
  };

  const cluster: Omit<ScriptedCluster, 'nodes' | 'connectionString'> = {
    views: [0, 0, 0],
    elect: (leader) => {
      cluster.views = [leader, leader, leader];
    },
    failsFeatures: false,
    denies: undefined,
    stop: async () => {
      for (const stop of stops) await stop();
      behind.close();
      await log.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
  for (const self of [0, 1, 2]) await startNode(self);
  const [first, second, third] = nodes;
  if (!first || !second || !third) throw new Error('a cluster has three nodes');
  return Object.assign(cluster, {
    nodes: [first, second, third] as const,
    connectionString: `esdb://${nodes.map(({ port }) => `127.0.0.1:${port}`)}?tls=false`,
  });
};
