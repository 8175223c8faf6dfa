/**
 * Personal data as it is stored, which is a text; a number, an object or a list is encrypted as its JSON. A text names the key that it was encrypted with, and is bound to its event, its field
 * and its person: moved elsewhere, it cannot be read. Texts of release 0.1.0 (`enc:1:`) are bound to their event only.
 */
import { ERASED, UNREADABLE } from '../domain/core/schema.ts';
import { decryptText, keyTag, type PersonKey, seal, TAG_OF_KEY_BYTES, unseal, VaultError } from './vault.ts';

/** Where a text stands. */
export interface Place {
  /** The event's id. */
  readonly event: string;
  /** The path of the field as it was written, such as `contact.email` or `notes.0.text`. */
  readonly field: string;
  readonly person: string;
}

const PREFIX = 'enc:2:';
/** The field of a user's address in the metadata. No path in an event's data looks like it. */
export const ADDRESS_FIELD = '$ip';

const contextOf = ({ event, field, person }: Place): string => [event, field, person].join('\u0000');

/** Encrypts one text. For an erased person it returns `[erased]`. */
export const encryptAt = (key: PersonKey, text: string, place: Place): string =>
  key === 'erased'
    ? ERASED
    : PREFIX + Buffer.concat([keyTag(key), seal(key, Buffer.from(text), contextOf(place))]).toString('base64');

/**
 * Decrypts one text: `[erased]` when its key was destroyed, `[unreadable]` when it was encrypted with a key that is lost.
 * @param key undefined when the person has none
 * @throws VaultError when the text was altered or moved
 */
export const decryptAt = (key: PersonKey | undefined, text: string, place: Place): string => {
  if (text === ERASED || key === 'erased') return ERASED;
  if (key === undefined) return UNREADABLE;
  if (!text.startsWith(PREFIX)) return decryptText(key, text, place.event);
  const sealed = Buffer.from(text.slice(PREFIX.length), 'base64');
  if (!sealed.subarray(0, TAG_OF_KEY_BYTES).equals(keyTag(key))) return UNREADABLE;
  const plain = unseal(key, sealed.subarray(TAG_OF_KEY_BYTES), contextOf(place));
  if (!plain) throw new VaultError('personal data was altered or moved to another event, field or person');
  return plain.toString();
};

/** Encrypts a text, or another value as its JSON. For an erased person it returns `[erased]`, or null for no text. */
export const encryptField = (key: PersonKey, value: unknown, isText: boolean, place: Place): string | null => {
  if (isText) return encryptAt(key, String(value), place);
  return key === 'erased' ? null : encryptAt(key, JSON.stringify(value), place);
};

/** A field in plain text. */
export interface Revealed {
  /** The placeholder of a text, or null for another value, when it could not be read. */
  readonly value: unknown;
  /** Why it could not be read. */
  readonly missing?: 'erased' | 'key lost';
}

/**
 * Decrypts a field that is not null.
 * @param key undefined when the person has none
 * @throws VaultError when it was altered or moved, or is not encrypted
 */
export const decryptField = (key: PersonKey | undefined, stored: unknown, isText: boolean, place: Place): Revealed => {
  if (typeof stored !== 'string') {
    if (isText) return { value: stored }; // does not fit the schema, which says it better
    throw new VaultError('personal data is not encrypted');
  }
  const text = decryptAt(key, stored, place);
  if (text === ERASED) return { value: isText ? text : null, missing: 'erased' };
  if (text === UNREADABLE) return { value: isText ? text : null, missing: 'key lost' };
  return { value: isText ? text : parsed(text) };
};

/** A field that was written in plain, before the key existed: it is shown until the key is destroyed. */
export const plainField = (key: PersonKey | undefined, stored: unknown, isText: boolean): Revealed =>
  key === 'erased' ? { value: isText ? ERASED : null, missing: 'erased' } : { value: stored };

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new VaultError('personal data was written as a text and is read as another value');
  }
};

/** Upcasters move texts: so each is marked with the field that it was written in. No base64 text has this character. */
const MARK = '@';

/** Copies stored data with every text marked with its field. */
export const markFields = (value: unknown, at: readonly string[] = []): unknown => {
  if (typeof value === 'string') return value.startsWith(PREFIX) ? `${value}${MARK}${at.join('.')}` : value;
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((item, index) => markFields(item, [...at, String(index)]));
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, markFields(inner, [...at, name])]));
};

/** Splits a marked text; a text of release 0.1.0 has no mark, and needs no field. */
export const unmark = (text: unknown): { text: unknown; field: string } => {
  if (typeof text !== 'string') return { text, field: '' };
  const mark = text.startsWith(PREFIX) ? text.lastIndexOf(MARK) : -1;
  return mark < 0 ? { text, field: '' } : { text: text.slice(0, mark), field: text.slice(mark + 1) };
};
