/** A small model to project: counters that are counted and removed, and helpers to run it. */
import { randomUUID } from 'node:crypto';
import { Type } from '@sinclair/typebox';
import type { AnyEvent, EventDeclarations, Position, Recorded } from '../../domain/core/decider.ts';
import { Instant, Uuid } from '../../domain/core/schema.ts';
import { type Codec, createCodec } from '../../eventstore/codec.ts';
import { StoreUnavailable } from '../../eventstore/store.ts';
import { isAfter } from '../../eventstore/subscribe.ts';
import { groupPositions } from '../../projections/engine/checkpoint.ts';
import { type Group, groupOf } from '../../projections/engine/groups.ts';
import { type ReadModel, readModel } from '../../projections/engine/readModel.ts';
import { runProjector } from '../../projections/engine/runner.ts';
import { ensureTables } from '../../projections/engine/tableVersions.ts';
import { endsWithSpec } from '../kit/ending.ts';
import type { Stores } from '../kit/stores.ts';
import { until, WAIT_MS } from '../kit/until.ts';

const declarations = {
  Counted: { data: Type.Object({ by: Type.Integer(), label: Type.String() }) },
  CounterRemoved: { data: Type.Object({}) },
} satisfies EventDeclarations;

export const counted = (by = 1, label = ''): AnyEvent => ({ type: 'Counted', data: { by, label } });
export const removed: AnyEvent = { type: 'CounterRemoved', data: {} };

export interface CounterRow {
  readonly id: string;
  readonly total: number;
  readonly events: number;
  /** The labels in the order they came: shows any event that came twice, late or never. */
  readonly labels: string;
  readonly counted_at: string;
}

export interface ModelOptions {
  readonly name?: string;
  readonly version?: number;
  /** Throws to poison an event. */
  readonly check?: (event: Recorded) => void;
  /** Another shape of row. */
  readonly doubled?: boolean;
}

export const counterModel = ({ name = 'counters', version = 1, check, doubled }: ModelOptions = {}): ReadModel => {
  const row = Type.Object({
    id: Uuid,
    total: Type.Integer(),
    events: Type.Integer(),
    labels: Type.String(),
    counted_at: Instant,
    ...(doubled && { doubled: Type.Integer() }),
  });
  const on = {
    Counted: (
      before: CounterRow | undefined,
      event: Recorded<{ type: 'Counted'; data: { by: number; label: string } }>,
    ) => {
      check?.(event);
      const total = (before?.total ?? 0) + event.data.by;
      return {
        id: event.streamId,
        total,
        events: (before?.events ?? 0) + 1,
        labels: (before?.labels ?? '') + event.data.label,
        counted_at: event.at,
        ...(doubled && { doubled: 2 * total }),
      };
    },
    CounterRemoved: () => null,
  };
  return readModel(name, {
    version,
    row,
    key: 'id',
    indexes: ['total'],
    storesWire: true,
    publishTo: [
      { channel: { name: 'user', address: 'realtime:user_{id}' }, idsOf: ({ id }) => [id], audience: 'guest' },
    ],
    on: on as never,
  });
};

export interface Counters extends Stores {
  readonly codec: Codec;
  /** Appends after what was appended before. Returns where the last event is in the log. */
  append(id: string, ...events: AnyEvent[]): Promise<Position>;
  /** Starts a projector of one group; returns how to stop it. */
  project(...models: ReadModel[]): { stop(): Promise<void> };
  /** Starts a projector of several groups. */
  projectGroups(groups: readonly Group[]): { stop(): Promise<void> };
  /** Waits until the live tables of all groups show a position. */
  projected(position: Position, groups?: number): Promise<void>;
  rows(model?: string): Promise<CounterRow[]>;
}

/** On a busy machine the event store may take longer than a request waits. The event ids make it safe to repeat. */
const patiently = async <T>(attempt: () => Promise<T>): Promise<T> => {
  const deadline = performance.now() + WAIT_MS;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || performance.now() > deadline) throw error;
    }
  }
};

/** One group. */
export const groupsOf = (...models: ReadModel[]): readonly Group[] => [groupOf('counters', models)];

export const counters = (stores: Stores, codec: Codec = createCodec(declarations, stores.vault)): Counters => {
  const revisions = new Map<string, bigint>();
  const projectGroups = (groups: readonly Group[]) => {
    const stopping = new AbortController();
    const running = runProjector({ ...stores, codec, groups }, stopping.signal);
    running.catch((err: unknown) => stores.log.error({ err }, 'the projector could not start'));
    return {
      stop: endsWithSpec(async () => {
        stopping.abort();
        await running;
      }),
    };
  };
  return {
    ...stores,
    codec,
    append: async (id, ...events) => {
      const stream = `counter-${id}`;
      const commandId = randomUUID();
      const encoded = await codec.encode(stream, events, {
        correlationId: commandId,
        causationId: commandId,
        commandId,
        actor: { kind: 'system', id: 'test', role: 'system' },
        ip: null,
        at: new Date().toISOString(),
      });
      const { revision, position } = await patiently(() =>
        stores.store.append(stream, encoded, revisions.get(id) ?? 'no_stream'),
      );
      revisions.set(id, revision);
      return position;
    },
    project: (...models) => projectGroups(groupsOf(...models)),
    projectGroups,
    projected: async (position, groups = 1) => {
      await until(async () => {
        const positions = [...(await groupPositions(stores.pool)).values()];
        // A group that has projected nothing yet has no position.
        return positions.length >= groups && positions.every((at) => !isAfter(position, at));
      });
    },
    rows: async (model = 'counters') => {
      const { rows } = await stores.pool.query<CounterRow>(`select * from read."${model}" order by id`);
      return rows;
    },
  };
};

export const newIds = (count: number): string[] => Array.from({ length: count }, () => randomUUID()).toSorted();

/** Appends `count` events, spread over the counters, each labelled with its number in its stream. */
export const fill = async (world: Counters, ids: readonly string[], count: number): Promise<Position> => {
  const perId = Math.ceil(count / ids.length);
  const positions = await Promise.all(
    ids.map((id) => world.append(id, ...Array.from({ length: perId }, (_, n) => counted(1, `${n},`)))),
  );
  return positions.reduce((latest, position) => (isAfter(position, latest) ? position : latest));
};

/** Creates the tables before any projector runs. */
export const withTables = (world: Counters, ...models: ReadModel[]): Promise<void> =>
  ensureTables(world.pool, groupsOf(...models));
