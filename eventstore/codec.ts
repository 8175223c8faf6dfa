/**
 * Converts between domain events and stored events: validates in both directions, numbers versions, upcasts old
 * versions, and encrypts personal data with the person's key. An unknown event type is an error; it is never skipped
 * silently.
 */
import { type TObject, type TSchema, TypeGuard } from '@sinclair/typebox';
import type { AnyEvent, EventDeclaration, EventDeclarations, EventMeta, Recorded } from '../domain/core/decider.ts';
import { ERASED, isPersonal } from '../domain/core/schema.ts';
import { derivedId } from '../infra/ids.ts';
import { explain, type Validator, validator } from '../infra/validation.ts';
import type { NewEvent, StoredEvent } from './client/index.ts';
import { addressOf, fromMetadata, isMetadata, personOfAddress, toMetadata } from './metadata.ts';
import { decryptText, encryptText, type PersonKey, type Vault } from './vault.ts';

type Path = readonly string[];
type Json = Record<string, unknown>;

interface Known {
  readonly declaration: EventDeclaration;
  readonly version: number;
  readonly valid: Validator<TSchema>;
  /** Paths of the personal texts; `*` stands for every item of an array. */
  readonly personal: readonly Path[];
}

/** An event read from the log: in its newest shape, with personal data still encrypted. */
interface Upcast {
  readonly event: StoredEvent;
  readonly declared: Known;
  readonly data: Json;
  readonly category: string;
  readonly streamId: string;
  readonly person: string | undefined;
}

/** An event that does not fit its declaration: a bug when writing, an incompatible change when reading. */
export class CodecError extends Error {
  override readonly name = 'CodecError';
}

const pathsIn = (schema: TSchema, at: Path = []): Path[] => {
  if (isPersonal(schema)) return [at];
  if (TypeGuard.IsObject(schema))
    return Object.entries((schema as TObject).properties).flatMap(([name, inner]) => pathsIn(inner, [...at, name]));
  if (TypeGuard.IsArray(schema)) return pathsIn(schema.items, [...at, '*']);
  if (TypeGuard.IsUnion(schema)) return schema.anyOf.flatMap((inner) => pathsIn(inner, at));
  return [];
};

/**
 * Finds the personal texts of a declaration.
 * @throws CodecError when some personal data would be written unencrypted
 */
const personalPaths = (type: string, { data, person }: EventDeclaration): Path[] => {
  const paths = pathsIn(data);
  const marked = JSON.stringify(data).split('"x-personal":true').length - 1;
  if (paths.length < marked)
    throw new CodecError(`${type} has personal data in a place that the codec does not support`);
  if (paths.length > 0 && person === undefined) throw new CodecError(`${type} has personal data but names no person`);
  return [...new Map(paths.map((path) => [path.join('.'), path])).values()];
};

/** Copies `value` with the text at `path` replaced. An absent or null field stays as it is. */
const replaceAt = (value: unknown, path: Path, change: (text: string) => string): unknown => {
  const [name, ...rest] = path;
  if (name === undefined) return typeof value === 'string' ? change(value) : value;
  if (value === null || typeof value !== 'object') return value;
  if (name === '*') return (value as unknown[]).map((item) => replaceAt(item, rest, change));
  return name in value ? { ...value, [name]: replaceAt((value as Json)[name], rest, change) } : value;
};

const replacePersonal = (data: unknown, known: Known, change: (text: string) => string): unknown =>
  known.personal.reduce((copy, path) => replaceAt(copy, path, change), data);

/** What the codec knows of every event type. @throws CodecError for a declaration that it cannot encode safely */
const knownTypes = (declarations: EventDeclarations): ReadonlyMap<string, Known> =>
  new Map(
    Object.entries(declarations).map(([type, declaration]) => [
      type,
      {
        declaration,
        version: (declaration.upcast?.length ?? 0) + 1,
        valid: validator(declaration.data),
        personal: personalPaths(type, declaration),
      },
    ]),
  );

/** The person whose key encrypts an event. */
const personOf = ({ declaration }: Known, type: string, streamId: string, data: Json): string => {
  const person = declaration.person === 'stream' ? streamId : data[declaration.person ?? ''];
  if (typeof person !== 'string') throw new CodecError(`${type} has personal data but names no person`);
  return person;
};

/** @throws CodecError when the data does not fit the schema */
const decrypt = ({ event, declared, data, person }: Upcast, keys: ReadonlyMap<string, PersonKey>): Json => {
  const key = person === undefined ? undefined : keys.get(person);
  let isWhole = true;
  const reveal = (of: PersonKey) => (text: string) => {
    const plain = decryptText(of, text, event.id);
    isWhole &&= plain !== ERASED;
    return plain;
  };
  const plain = key === undefined ? data : replacePersonal(data, declared, reveal(key));
  // The placeholder of an erased text need not fit the schema.
  if (isWhole && !declared.valid(plain))
    throw new CodecError(`stored ${event.type} ${event.id} does not fit: ${explain(declared.valid.errors)}`);
  return plain as Json;
};

/** `booking-<uuid>` → `['booking', '<uuid>']`. Category names have no dash. */
export const splitStream = (stream: string): [category: string, id: string] => {
  const dash = stream.indexOf('-');
  return dash < 0 ? [stream, ''] : [stream.slice(0, dash), stream.slice(dash + 1)];
};

export interface Codec {
  /**
   * Encodes events for an append after the revision `after` (null: the first). Event ids derive from the command id and
   * the revision: a retried command is the same append, and no two events of a stream have the same id, even when a
   * command that comes again leads to other events.
   */
  encode(stream: string, events: readonly AnyEvent[], meta: EventMeta, after?: bigint | null): Promise<NewEvent[]>;
  /**
   * Decodes events in the same order. Types outside `only` are left out undecoded.
   * @throws CodecError for an unknown type or a shape that does not fit
   * @throws VaultError for personal data whose key is lost
   */
  decode<E extends AnyEvent>(stored: readonly StoredEvent[], only?: ReadonlySet<string>): Promise<Recorded<E>[]>;
  /**
   * Like `decode`, with `meta.ip` null: commands and policies never need it, and so do not need the keys of everyone who
   * ever changed an aggregate.
   */
  decodeWithoutAddress<E extends AnyEvent>(
    stored: readonly StoredEvent[],
    only?: ReadonlySet<string>,
  ): Promise<Recorded<E>[]>;
}

/** The keys that a codec needs of a vault. */
export type CodecKeys = Pick<Vault, 'keyToWrite' | 'keysToRead'>;

export const createCodec = (declarations: EventDeclarations, vault: CodecKeys): Codec => {
  const known = knownTypes(declarations);
  const find = (type: string): Known => {
    const found = known.get(type);
    if (!found) throw new CodecError(`unknown event type ${type}`);
    return found;
  };
  const upcast = (event: StoredEvent): Upcast => {
    const declared = find(event.type);
    if (!isMetadata(event.metadata))
      throw new CodecError(`${event.type} ${event.id} has invalid metadata: ${explain(isMetadata.errors)}`);
    const version = event.metadata.schema;
    if (version > declared.version) throw new CodecError(`${event.type} version ${version} is newer than this program`);
    const steps = (declared.declaration.upcast ?? []).slice(version - 1);
    const data = steps.reduce((older, step) => step(older), event.data);
    const [category, streamId] = splitStream(event.stream);
    const person = declared.personal.length > 0 ? personOf(declared, event.type, streamId, data) : undefined;
    return { event, declared, data, category, streamId, person };
  };

  const decodeAll = async <E extends AnyEvent>(
    stored: readonly StoredEvent[],
    only: ReadonlySet<string> | undefined,
    withAddress: boolean,
  ): Promise<Recorded<E>[]> => {
    const events = (only ? stored.filter((event) => only.has(event.type)) : stored).map(upcast);
    const people = events.flatMap(({ person, event: { metadata } }) =>
      [person, withAddress ? personOfAddress(metadata) : undefined].filter((id) => id !== undefined),
    );
    const keys = people.length > 0 ? await vault.keysToRead(people) : new Map<string, PersonKey>();
    return events.map((upcasted): Recorded<E> => {
      const { id, type, stream, revision, position, metadata } = upcasted.event;
      const { category, streamId } = upcasted;
      const event = { type, data: decrypt(upcasted, keys) } as AnyEvent as E;
      const meta = fromMetadata(metadata, withAddress ? addressOf(metadata, id, keys) : null);
      return { ...event, id, stream, category, streamId, revision, position, at: meta.at, meta };
    });
  };

  return {
    async encode(stream, events, meta, after = null) {
      const [, streamId] = splitStream(stream);
      const encoded: NewEvent[] = [];
      for (const [index, event] of events.entries()) {
        const declared = find(event.type);
        if (!declared.valid(event.data))
          throw new CodecError(`${event.type} does not fit its schema: ${explain(declared.valid.errors)}`);
        const id = derivedId(meta.commandId, stream, String((after ?? -1n) + BigInt(index + 1)));
        let data: unknown = event.data;
        if (declared.personal.length > 0) {
          const key = await vault.keyToWrite(personOf(declared, event.type, streamId, event.data as Json));
          data = replacePersonal(data, declared, (text) => encryptText(key, text, id));
        }
        const metadata = await toMetadata(meta, { id, schema: declared.version, vault });
        encoded.push({ id, type: event.type, data: data as Json, metadata });
      }
      return encoded;
    },

    decode: (stored, only) => decodeAll(stored, only, true),
    decodeWithoutAddress: (stored, only) => decodeAll(stored, only, false),
  };
};
