/**
 * Converts between domain events and stored events: validates in both directions, numbers versions, upcasts old
 * versions, and encrypts personal data with the person's key. An event that cannot be read is an error of that event
 * only; it is never skipped silently.
 */
import {
  type AnyEvent,
  type EventDeclarations,
  type EventMeta,
  type Recorded,
  splitStream,
} from '../domain/core/decider.ts';
import { beginningOf, storable, storableText } from '../domain/core/storable.ts';
import { derivedId } from '../infra/ids.ts';
import { metrics } from '../infra/metrics.ts';
import { explain } from '../infra/validation.ts';
import type { NewEvent, StoredEvent } from './client/index.ts';
import { type ConcealedEvent, concealEvent } from './concealEvent.ts';
import { fieldKey, keysOf, personOf, writingKey } from './eventKeys.ts';
import { storableName } from './eventNames.ts';
import { addressOf, fromMetadata, toMetadata } from './metadata.ts';
import { CodecError, replaceAt } from './personalPaths.ts';
import { decryptField, encryptField, plainField, unmark } from './personalTexts.ts';
import { type Known, knownTypes, type Upcast, upcastEvent } from './upcasting.ts';
import { type PersonKey, type Vault, VaultError } from './vault.ts';

type Json = Record<string, unknown>;

export { CodecError };

/**
 * The data in plain text. Without the person's key its texts read `[unreadable]`, and other personal values null:
 * everything else in the event is intact.
 * @throws CodecError when the data does not fit the schema
 * @throws VaultError when personal data was altered
 */
const decrypt = (upcast: Upcast, keys: ReadonlyMap<string, PersonKey>): Json => {
  const { event, declared, data, isMarked } = upcast;
  const missing = new Set<'erased' | 'key lost'>();
  let isOtherKey = false;
  let plain: unknown = data;
  for (const { path, isText } of declared.personal) {
    const found = fieldKey(upcast, path.join('.'), keys);
    plain = replaceAt(plain, path, (stored, at) => {
      const { text, field } = isMarked ? unmark(stored) : { text: stored, field: at };
      const revealed = found.isPlain
        ? plainField(found.key, text, isText)
        : decryptField(found.key, text, isText, { event: event.id, field, person: found.person });
      if (revealed.missing) missing.add(revealed.missing);
      isOtherKey ||= revealed.missing === 'key lost' && found.key !== undefined;
      return storable(revealed.value);
    });
  }
  if (isOtherKey) metrics.personalKeysMissing.inc();
  // The placeholder of a text need not fit the schema.
  return missing.size === 0 ? checked(plain, declared, event) : (plain as Json);
};

const checked = (data: unknown, { valid }: Known, { type, id }: StoredEvent): Json => {
  if (!valid(data)) throw new CodecError(`stored ${type} ${id} does not fit: ${explain(valid.errors)}`);
  return data as Json;
};

/** An event that this program cannot read: an unknown type or version, another shape, or a text that was altered. */
export interface Unreadable {
  /** Its stream and its type have names that can be stored: see `storableName`. */
  readonly event: StoredEvent;
  /** A text that can be stored. */
  readonly reason: string;
  /** Whether this program declares its type. If not, any consumer of its stream may need it. */
  readonly isDeclared: boolean;
}

export interface Decoded<E extends AnyEvent = AnyEvent> {
  readonly events: readonly Recorded<E>[];
  readonly unreadable: readonly Unreadable[];
}

interface DecodeOptions {
  /** Other types are left out undecoded. */
  readonly only?: ReadonlySet<string>;
  /**
   * `false` leaves `meta.ip` null: commands and policies never need it, and so do not need the keys of everyone who ever
   * changed an aggregate.
   */
  readonly address?: boolean;
}

export interface Codec {
  /** Whether this program declares a type of event. */
  declares(type: string): boolean;
  /**
   * Encodes events for an append after the revision `after` (null: the first). Event ids derive from the command id and
   * the revision: a retried command is the same append, and no two events of a stream have the same id, even when a
   * command that comes again leads to other events. Texts lose what cannot be stored: no read model could take them.
   */
  encode(stream: string, events: readonly AnyEvent[], meta: EventMeta, after?: bigint | null): Promise<NewEvent[]>;
  /**
   * Decodes events in the same order, all or none.
   * @throws CodecError for an unknown type or a shape that does not fit
   * @throws VaultError for personal data that was altered, and for a wrong master key
   */
  decode<E extends AnyEvent>(stored: readonly StoredEvent[], only?: ReadonlySet<string>): Promise<Recorded<E>[]>;
  /** Like `decode`, with `meta.ip` null. */
  decodeWithoutAddress<E extends AnyEvent>(
    stored: readonly StoredEvent[],
    only?: ReadonlySet<string>,
  ): Promise<Recorded<E>[]>;
  /**
   * Decodes each event by itself, so that one that cannot be read does not stop the others.
   * @throws VaultError for a wrong master key, which is no fault of an event
   */
  decodeEach<E extends AnyEvent>(stored: readonly StoredEvent[], options?: DecodeOptions): Promise<Decoded<E>>;
  /**
   * A decoded event with `[hidden]` instead of what is personal, also of the address of a user; what was erased before
   * stays `[erased]`. With `forFold`, other values than texts become null, as `evolve` expects of an erased person.
   */
  conceal(event: Recorded, options?: { readonly forFold?: boolean }): ConcealedEvent;
}

/** Part of a reason may be what the event has, of any length. */
const MAX_REASON = 2_000;

/** The keys that a codec needs of a vault. */
export type CodecKeys = Pick<Vault, 'keyToWrite' | 'keysToRead'>;

/** Splits what works from what does not. The work asks nobody: whatever fails, it is the event's own fault. */
const each = <A, B>(items: readonly A[], eventOf: (item: A) => StoredEvent, work: (item: A) => B) => {
  const done: B[] = [];
  const failed: { readonly event: StoredEvent; readonly error: Error }[] = [];
  for (const item of items)
    try {
      done.push(work(item));
    } catch (error) {
      const event = eventOf(item);
      const isKnown = error instanceof CodecError || error instanceof VaultError;
      failed.push({ event, error: isKnown ? error : new CodecError(`${event.type} ${event.id}: ${error}`) });
    }
  return { done, failed };
};

export const createCodec = (declarations: EventDeclarations, vault: CodecKeys): Codec => {
  const known = knownTypes(declarations);
  const find = (type: string): Known => {
    const found = known.get(type);
    if (!found) throw new CodecError(`unknown event type ${type}`);
    return found;
  };
  /** The data with its personal fields encrypted. `id`: the id under which the event is stored. */
  const encrypt = async (
    { type, data: plain }: AnyEvent,
    declared: Known,
    { id, streamId }: { readonly id: string; readonly streamId: string },
  ): Promise<Json> => {
    const owner = personOf({ type, streamId, data: plain as Json }, declared);
    if (owner === undefined) return plain as Json;
    const { key, person } = await writingKey(vault, owner, declared);
    let data: unknown = plain;
    for (const { path, isText } of declared.personal)
      data = replaceAt(data, path, (value, field) => encryptField(key, value, isText, { event: id, field, person }));
    return data as Json;
  };

  /** The keys of all people and sellers in the events. Counts the missing ones. */
  const keysFor = async (events: readonly Upcast[], address: boolean): Promise<ReadonlyMap<string, PersonKey>> => {
    const { needed, helpful } = keysOf(events, address);
    const all = new Set([...needed, ...helpful]);
    const keys = all.size > 0 ? await vault.keysToRead(all) : new Map<string, PersonKey>();
    metrics.personalKeysMissing.inc([...needed].filter((id) => !keys.has(id)).length);
    return keys;
  };

  const decodeAll = async <E extends AnyEvent>(
    stored: readonly StoredEvent[],
    { only, address = true }: DecodeOptions,
  ) => {
    const wanted = only ? stored.filter((event) => only.has(event.type)) : stored;
    const { done: upcasts, failed: first } = each(
      wanted,
      (event) => event,
      (event) => upcastEvent(event, find(event.type)),
    );
    const keys = await keysFor(upcasts, address);
    const { done: events, failed: second } = each(
      upcasts,
      ({ event }) => event,
      (upcasted): Recorded<E> => {
        const { id, type, stream, revision, position, metadata } = upcasted.event;
        const { category, streamId } = upcasted;
        const data = decrypt(upcasted, keys);
        const meta = fromMetadata(metadata, address ? addressOf(metadata, id, keys) : null);
        const about = { id, stream, category, streamId, revision, position, at: meta.at, meta };
        return Object.assign(about, { type, data } as AnyEvent as E);
      },
    );
    return { events, failed: [...first, ...second] };
  };
  const allOrNone = async <E extends AnyEvent>(stored: readonly StoredEvent[], options: DecodeOptions) => {
    const { events, failed } = await decodeAll<E>(stored, options);
    if (failed[0]) throw failed[0].error;
    return events;
  };

  return {
    declares: (type) => known.has(type),

    async encode(stream, events, meta, after = null) {
      const [, streamId] = splitStream(stream);
      const encoded: NewEvent[] = [];
      for (const [index, { type, data: decided }] of events.entries()) {
        const declared = find(type);
        const fitting = (data: object): object => {
          if (declared.valid(data)) return data;
          throw new CodecError(`${type} does not fit its schema: ${explain(declared.valid.errors)}`);
        };
        // Not all texts come in a body that was checked: providers send some, and some are cut, perhaps within a character.
        const event: AnyEvent = { type, data: fitting(storable(fitting(decided))) };
        const id = derivedId(meta.commandId, stream, String((after ?? -1n) + BigInt(index + 1)));
        const data = await encrypt(event, declared, { id, streamId });
        const metadata = await toMetadata(meta, { id, schema: declared.version, vault });
        encoded.push({ id, type: event.type, data, metadata });
      }
      return encoded;
    },

    decode: (stored, only) => allOrNone(stored, { ...(only && { only }) }),
    decodeWithoutAddress: (stored, only) => allOrNone(stored, { ...(only && { only }), address: false }),
    decodeEach: async <E extends AnyEvent>(stored: readonly StoredEvent[], options: DecodeOptions = {}) => {
      const { events, failed } = await decodeAll<E>(stored, options);
      const unreadable = failed.map(({ event, error }) => ({
        event: { ...event, stream: storableName(event.stream), type: storableName(event.type) },
        reason: storableText(beginningOf(error.message, MAX_REASON)),
        isDeclared: known.has(event.type),
      }));
      return { events, unreadable };
    },
    conceal: (event, { forFold = false } = {}) => concealEvent(event, known.get(event.type), forFold),
  };
};
