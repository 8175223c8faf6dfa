/**
 * Finds the leader of a cluster by gossip. All known nodes are asked at once and again and again, and the leader itself
 * has to answer: so neither a node that hangs nor the outdated view of another delays or misleads the search.
 */
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { EndPoint } from '@eventstore/db-client';
import { Client } from '@grpc/grpc-js';
import { sleep } from '../../infra/retry.ts';
import { decode, LEADER } from '../messages.ts';
import { StoreUnavailable } from '../store.ts';
import { Connection } from './connection.ts';
import { addressOf, isSame, type Node } from './endPoint.ts';
import type { ConnectionSettings } from './settings.ts';

/** How long one node may take to answer, connecting included. */
const ANSWER_MS = 1_000;
const ASK_AGAIN_MS = 250;
/** After this long without a leader the store is away. */
const SEARCH_MS = 3_000;

const GOSSIP = '/event_store.client.gossip.Gossip/Read';
interface Member {
  readonly endPoint: EndPoint;
  readonly isLeader: boolean;
}

const membersOf = (reply: Uint8Array): Member[] =>
  decode('ClusterInfo', reply).members.flatMap(({ state, isAlive, httpEndPoint }) =>
    isAlive && httpEndPoint?.address
      ? [{ endPoint: { address: httpEndPoint.address, port: httpEndPoint.port }, isLeader: state === LEADER }]
      : [],
  );

const asIs = (bytes: Buffer): Buffer => bytes;

/**
 * The living members of the cluster, as this node sees them.
 * @throws when it does not answer in time
 */
const ask = async (node: Node, settings: ConnectionSettings): Promise<Member[]> => {
  const end = performance.now() + ANSWER_MS;
  const connection = await Connection.open(node, settings, ANSWER_MS);
  const deadline = Date.now() + Math.max(0, end - performance.now());
  return new Promise<Member[]>((resolve, reject) => {
    const client = connection.client(Client);
    client.makeUnaryRequest(GOSSIP, asIs, asIs, Buffer.alloc(0), { deadline }, (error, reply) => {
      if (error || !reply) reject(error ?? new Error('an empty reply'));
      else resolve(membersOf(reply));
    });
  }).finally(() => connection.close());
};

/** One name can stand for every node of a cluster. */
const nodesBehind = async (host: EndPoint): Promise<Node[]> => {
  if (isIP(host.address)) return [host];
  const found = await lookup(host.address, { all: true }).catch(() => []);
  return found.map(({ address }) => ({ address, port: host.port, certifiedAs: host.address }));
};

export interface Discovery {
  /** @throws StoreUnavailable when no leader was found in time */
  readonly findLeader: () => Promise<EndPoint>;
}

export const createDiscovery = (settings: ConnectionSettings): Discovery => {
  /** Members that were seen before: the configured hosts need not name all. */
  let members: readonly EndPoint[] = [];

  const leaderAsSeenBy = async (node: Node): Promise<EndPoint> => {
    const seen = await ask(node, settings);
    members = seen.map(({ endPoint }) => endPoint);
    const leader = seen.find(({ isLeader }) => isLeader)?.endPoint;
    if (!leader) throw new Error(`${addressOf(node)} knows no leader`);
    return leader;
  };

  const confirmedBy = async (node: Node): Promise<EndPoint> => {
    const leader = await leaderAsSeenBy(node);
    if (isSame(leader, node) || isSame(await leaderAsSeenBy(leader), leader)) return leader;
    throw new Error(`${addressOf(leader)} does not lead`);
  };

  const askAll = async (): Promise<EndPoint> => {
    const configured = (await Promise.all(settings.hosts.map(nodesBehind))).flat();
    const others = members.filter((member) => !configured.some((node) => isSame(node, member)));
    return Promise.any([...configured, ...others].map(confirmedBy));
  };

  return {
    findLeader: async () => {
      const deadline = performance.now() + SEARCH_MS;
      let leader: EndPoint | undefined;
      let found = (): void => undefined;
      const isFound = new Promise<void>((resolve) => {
        found = resolve;
      });
      const noteLeader = (confirmed: EndPoint): void => {
        leader ??= confirmed;
        found();
      };
      while (!leader && performance.now() < deadline) {
        askAll().then(noteLeader, () => undefined);
        await Promise.race([isFound, sleep(ASK_AGAIN_MS)]);
      }
      if (leader) return leader;
      throw new StoreUnavailable(`no leader of the event store was found among ${settings.hosts.map(addressOf)}`);
    },
  };
};
