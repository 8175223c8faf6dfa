/** An event node, as troublesome as a real server, that a test can freeze, kill and restart; and sample events. */
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { connectEventStore, type EventStore, type NewEvent, type StoredEvent } from '../../eventstore/client/index.ts';
import { runNode } from '../../eventstore/embedded/node.ts';
import { type EmbeddedNode, startEmbeddedNode } from '../../eventstore/embedded/start.ts';
import { ALL_TRAITS, LIKE_SERVER } from '../../eventstore/embedded/traits.ts';
import { scratchFolder } from '../kit/scratch.ts';
import { until } from '../kit/until.ts';

const metadata: NewEvent['metadata'] = {
  $correlationId: 'correlation',
  $causationId: 'causation',
  commandId: 'command',
  actor: { kind: 'system', id: 'test', role: 'system' },
  ip: null,
  at: '2026-01-01T00:00:00.000Z',
  schema: 1,
  format: 1,
};

/** `count` events numbered from `first`. */
export const events = (count = 1, first = 0): NewEvent[] =>
  Array.from({ length: count }, (_, index) => ({
    id: randomUUID(),
    type: 'Counted',
    data: { n: first + index },
    metadata,
  }));

export const numbersOf = (found: readonly StoredEvent[]): unknown[] => found.map(({ data }) => data.n);
export const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

export interface Stage {
  readonly store: EventStore;
  readonly connectionString: string;
  freeze(): void;
  thaw(): void;
  kill(): void;
  /** Stops the node gracefully. */
  end(): void;
  /** Restarts the node on the same port, once the old process has ended. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** A node in this process, for tests that leave it in peace: starting a process takes longer than most tests. */
export const startQuietStage = async (): Promise<Pick<Stage, 'store' | 'connectionString' | 'stop'>> => {
  const directory = await scratchFolder('events');
  const fail = (error: unknown) => {
    throw error;
  };
  const node = await runNode(directory, 0, fail, fail, { traits: ALL_TRAITS });
  const { connectionString } = node;
  const store = connectEventStore(connectionString);
  return {
    store,
    connectionString,
    stop: async () => {
      await store.close();
      await node.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
};

/** `amongOthers`: system events are written between the others. */
export const startStage = async ({ amongOthers = false } = {}): Promise<Stage> => {
  const traits = amongOthers ? ALL_TRAITS : LIKE_SERVER;
  const directory = await scratchFolder('events');
  let isGone = false;
  const start = (port?: number): Promise<EmbeddedNode> => {
    isGone = false;
    const onExit = () => {
      isGone = true;
    };
    return startEmbeddedNode({ directory, onExit, traits, ...(port && { port }) });
  };
  let node = await start();
  const { connectionString } = node;
  const store = connectEventStore(connectionString);
  const signal = (name: NodeJS.Signals) => process.kill(node.pid, name);
  return {
    store,
    connectionString,
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    kill: () => signal('SIGKILL'),
    end: () => signal('SIGTERM'),
    restart: async () => {
      await until(() => isGone);
      node = await start(Number(new URL(connectionString).port));
    },
    stop: async () => {
      await store.close();
      await node.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
};
