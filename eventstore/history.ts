/** The log as people read it: one stream's events, and how it shows values. */
import { type Actor, type Recorded, splitStream } from '../domain/core/decider.ts';
import { HIDDEN, isSecretField } from '../domain/core/schema.ts';
import { storable } from '../domain/core/storable.ts';
import { concurrentEach } from '../infra/concurrentEach.ts';
import { groupBy } from '../infra/groupBy.ts';
import { formatPosition } from './checkpoints.ts';
import type { EventStore, StoredEvent } from './client/index.ts';
import type { Codec, Unreadable } from './codec.ts';
import { knownMetadata } from './metadata.ts';

export interface LogReader {
  readonly store: EventStore;
  readonly codec: Codec;
}

/** JSON without secrets; maps become objects, BigInts text. Personal data is whatever the codec gave. */
export const shownText = (value: unknown): string =>
  JSON.stringify(value ?? null, (name, inner: unknown) => {
    if (isSecretField(name)) return inner === null || inner === undefined ? inner : HIDDEN;
    if (typeof inner === 'bigint') return inner.toString();
    return inner instanceof Map ? Object.fromEntries(inner) : inner;
  });
export const shown = (value: unknown): unknown => JSON.parse(shownText(value));

/** An event in the words of the wire. */
export type ShownEvent = ReturnType<typeof shownEvent>;
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

const NOBODY: Actor = { kind: 'system', id: 'unknown', role: 'unknown' };

/** What can be said of an event that cannot be read. Its metadata may be of any shape. */
const standIn = ({ event, reason }: Unreadable): Recorded => {
  const { id, type, stream, revision, position } = event;
  const metadata = storable(knownMetadata(event));
  const [category, streamId] = splitStream(stream);
  const at = metadata.at ?? new Date(0).toISOString();
  const meta = {
    correlationId: metadata.$correlationId ?? id,
    causationId: metadata.$causationId ?? id,
    commandId: metadata.commandId ?? id,
    actor: metadata.actor ?? NOBODY,
    ip: null,
    at,
  };
  return { type, data: { unreadable: reason }, id, stream, category, streamId, revision, position, at, meta };
};

/**
 * Events as people read them, in the same order: personal data decrypted, and for an event that cannot be read the reason
 * instead of its data.
 */
export const decodeToShow = async (codec: Codec, stored: readonly StoredEvent[]): Promise<Recorded[]> => {
  const { events, unreadable } = await codec.decodeEach(stored);
  const byId = new Map([...events, ...unreadable.map(standIn)].map((event) => [event.id, event]));
  return stored.flatMap(({ id }) => byId.get(id) ?? []);
};

/** Where an event is. */
export interface Place {
  readonly stream: string;
  readonly revision: number;
}

/** Events of a stream that are no further apart are read together, with those between them. */
const NEAR = 5;
const READS_AT_ONCE = 8;

interface Run {
  readonly stream: string;
  readonly from: number;
  to: number;
}

const runsOf = (places: readonly Place[]): Run[] => {
  const runs: Run[] = [];
  for (const [stream, inStream] of groupBy(places, (place) => place.stream))
    for (const revision of inStream.map((place) => place.revision).toSorted((a, b) => a - b)) {
      const last = runs.at(-1);
      if (last?.stream === stream && revision - last.to <= NEAR) last.to = revision;
      else runs.push({ stream, from: revision, to: revision });
    }
  return runs;
};

const placeName = ({ stream, revision }: { stream: string; revision: number | bigint }): string =>
  `${stream}@${revision}`;

/** The events at these places, personal data decrypted; undefined where the log has none, or it cannot be read. */
export const readAt = async (
  { store, codec }: LogReader,
  places: readonly Place[],
): Promise<readonly (Recorded | undefined)[]> => {
  const wanted = new Set(places.map(placeName));
  const stored: StoredEvent[] = [];
  await concurrentEach(runsOf(places), READS_AT_ONCE, async ({ stream, from, to }) => {
    const run = await store.read(stream, { from: BigInt(from), max: to - from + 1 });
    stored.push(...run.filter((event) => wanted.has(placeName(event))));
  });
  const { events } = await codec.decodeEach(stored, { address: false });
  const found = new Map(events.map((event) => [placeName(event), event]));
  return places.map((place) => found.get(placeName(place)));
};

/** Events of one stream from a revision on, personal data decrypted; `[]` when there are none. */
export const readHistory = async (
  { store, codec }: LogReader,
  stream: string,
  { from, max }: { from: number; max: number },
): Promise<Recorded[]> => decodeToShow(codec, await store.read(stream, { from: BigInt(from), max }));

/** An aggregate as it was at a moment. */
export interface StateThen {
  /** Of the last event that had happened; null: nothing had happened yet. */
  readonly revision: number | null;
  readonly at: string | null;
  readonly state: unknown;
  /** What the state would be if nothing personal could be read. */
  readonly blindState: unknown;
  /** The accounts of whom it may say something personal. */
  readonly people: readonly string[];
}
