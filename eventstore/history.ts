/** The log as people read it: one stream's events, an aggregate as it was, what of it may be shown. */
import type { Aggregate, AnyEvent, Recorded } from '../domain/core/decider.ts';
import { HIDDEN, isSecretField } from '../domain/core/schema.ts';
import { formatPosition } from './checkpoints.ts';
import type { EventStore } from './client/index.ts';
import type { Codec } from './codec.ts';

export interface LogReader {
  readonly store: EventStore;
  readonly codec: Codec;
}

/** JSON without secrets; maps become objects, BigInts text. Personal data is whatever the codec gave. */
export const shown = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value ?? null, (name, inner: unknown) => {
      if (isSecretField(name)) return inner === null || inner === undefined ? inner : HIDDEN;
      if (typeof inner === 'bigint') return inner.toString();
      return inner instanceof Map ? Object.fromEntries(inner) : inner;
    }),
  );

/** An event in the words of the wire. */
export const shownEvent = ({ id, stream, revision, position, type, at, meta, data }: Recorded) => ({
  event_id: id,
  position: formatPosition(position),
  stream,
  revision: Number(revision),
  type,
  at,
  actor: { ...meta.actor },
  correlation_id: meta.correlationId,
  causation_id: meta.causationId,
  command_id: meta.commandId,
  ip: meta.ip,
  data: shown(data) as Record<string, unknown>,
});
export type ShownEvent = ReturnType<typeof shownEvent>;

/** Events of one stream from a revision on, personal data decrypted; `[]` when there are none. */
export const readHistory = async (
  { store, codec }: LogReader,
  stream: string,
  { from, max }: { from: number; max: number },
): Promise<Recorded[]> => codec.decode(await store.read(stream, { from: BigInt(from), max }));

/** Both bounds include what they name; without any it is the state of now. */
export interface Moment {
  readonly revision?: number;
  /** RFC 3339. */
  readonly at?: string;
}

export interface StateThen {
  /** Of the last event that had happened; null: nothing had happened yet. */
  readonly revision: number | null;
  readonly at: string | null;
  readonly state: unknown;
}

const PAGE = 1_000;

/** An aggregate as it was at a moment; undefined for a stream that does not exist. */
export const stateThen = async (
  reader: LogReader,
  aggregate: Aggregate,
  stream: string,
  { revision = Number.MAX_SAFE_INTEGER, at }: Moment,
): Promise<StateThen | undefined> => {
  const until = at === undefined ? Infinity : Date.parse(at);
  let then: StateThen = { revision: null, at: null, state: aggregate.initial };
  for (let from = 0; ; from += PAGE) {
    const page = await readHistory(reader, stream, { from, max: PAGE });
    if (from === 0 && page.length === 0) return undefined;
    for (const event of page) {
      if (event.revision > revision || Date.parse(event.at) > until) return then;
      then = { revision: Number(event.revision), at: event.at, state: aggregate.evolve(then.state, event as AnyEvent) };
    }
    if (page.length < PAGE) return then;
  }
};
