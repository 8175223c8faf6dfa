/** Whose keys an event is encrypted with: those of its person, of the seller, or none where it is older than sellers' keys. */
import type { EventDeclaration } from '../domain/core/decider.ts';
import type { StoredEvent } from './client/index.ts';
import { personOfAddress, type StoredMetadata } from './metadata.ts';
import { CodecError, type PersonalField } from './personalPaths.ts';
import { sellerKeyIn, sellerKeyToWrite, sellerOf } from './sellerKeys.ts';
import type { PersonKey, Vault } from './vault.ts';

interface Declared {
  readonly declaration: EventDeclaration;
  readonly personal: readonly PersonalField[];
}
type Keys = ReadonlyMap<string, PersonKey>;
interface Read {
  readonly event: StoredEvent;
  readonly declared: Declared;
  readonly person: string | undefined;
}

/** Whether the event was written when sellers had no keys yet. */
const isBeforeSellers = ({ seller }: EventDeclaration, { schema }: Pick<StoredMetadata, 'schema'>): boolean =>
  seller !== undefined && schema < seller.since;

/** An event as it is written or was read. */
interface AboutSomebody {
  readonly type: string;
  readonly streamId: string;
  readonly data: object;
  /** Absent where the event is written. */
  readonly metadata?: StoredMetadata;
}

/** The person whom an event names as the one whose personal data it has; undefined where it names none. */
export const namedPerson = (
  { streamId, data }: Pick<AboutSomebody, 'streamId' | 'data'>,
  { declaration: { person } }: Pick<Declared, 'declaration'>,
): string | undefined => {
  const named = person === 'stream' ? streamId : (data as Readonly<Record<string, unknown>>)[person ?? ''];
  return typeof named === 'string' ? named : undefined;
};

/**
 * The person whose personal data an event has; undefined where it has none, or was written when such events named nobody.
 * @throws CodecError when it names none
 */
export const personOf = (event: AboutSomebody, declared: Declared): string | undefined => {
  if (declared.personal.length === 0) return undefined;
  const person = namedPerson(event, declared);
  if (person !== undefined) return person;
  if (event.metadata && isBeforeSellers(declared.declaration, event.metadata)) return undefined;
  throw new CodecError(`${event.type} has personal data but names no person`);
};

/** With which key the fields of a new event are encrypted, and the id that they are bound to. */
export const writingKey = async (
  vault: Pick<Vault, 'keyToWrite' | 'keysToRead'>,
  person: string,
  { declaration: { seller } }: Declared,
): Promise<{ readonly key: PersonKey; readonly person: string }> =>
  seller
    ? { key: await sellerKeyToWrite(vault, person), person: sellerOf(person) }
    : { key: await vault.keyToWrite(person), person };

interface FieldKey {
  readonly key: PersonKey | undefined;
  /** The id that the text is bound to. */
  readonly person: string;
  /** It was not encrypted: the key only says whether it may still be shown. */
  readonly isPlain: boolean;
}

/** What a field of an event that was read is decrypted with. */
export const fieldKey = ({ event, declared: { declaration }, person }: Read, path: string, keys: Keys): FieldKey => {
  const { seller } = declaration;
  if (person === undefined) return { key: undefined, person: '', isPlain: true };
  const isPlain = isBeforeSellers(declaration, event.metadata) && !seller?.before.includes(path);
  const isOwn = seller === undefined || (isBeforeSellers(declaration, event.metadata) && !isPlain);
  return isOwn
    ? { key: keys.get(person), person, isPlain }
    : { key: sellerKeyIn(keys, person), person: sellerOf(person), isPlain };
};

/**
 * The ids of the keys of events.
 * @param address whether addresses of users are read, too
 * @returns `needed`: those that something was encrypted with; `helpful`: those that say whether a seller was erased
 */
export const keysOf = (
  events: readonly Read[],
  address: boolean,
): { readonly needed: ReadonlySet<string>; readonly helpful: ReadonlySet<string> } => {
  const [needed, helpful] = [new Set<string>(), new Set<string>()];
  for (const { event, declared, person } of events) {
    const actor = address ? personOfAddress(event.metadata) : undefined;
    if (actor !== undefined) needed.add(actor);
    if (person === undefined) continue;
    const { seller } = declared.declaration;
    const isOld = isBeforeSellers(declared.declaration, event.metadata);
    (!seller || (isOld && seller.before.length > 0) ? needed : helpful).add(person);
    if (seller) (isOld ? helpful : needed).add(sellerOf(person));
  }
  return { needed, helpful };
};
