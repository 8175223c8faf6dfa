/** Takes what is personal out of an event that was read. */
import type { Recorded } from '../domain/core/decider.ts';
import { HIDDEN, isPlaceholder } from '../domain/core/schema.ts';
import { namedPerson } from './eventKeys.ts';
import { personOfAddress } from './metadata.ts';
import { type PersonalField, replaceAt } from './personalPaths.ts';
import type { Known } from './upcasting.ts';

/** An event without what is personal in it. */
export interface ConcealedEvent {
  readonly event: Recorded;
  /** The accounts whose personal data was taken out: of what a seller offers, that of the owner. */
  readonly people: readonly string[];
}

/** What is personal reads `[hidden]`; in what is folded, other values than texts are null, as where their key is gone. */
export const concealAt = (data: unknown, personal: readonly PersonalField[], forFold: boolean): unknown =>
  personal.reduce(
    (concealed, { path, isText }) =>
      replaceAt(concealed, path, (value) => {
        if (isText && isPlaceholder(String(value))) return value;
        return isText || !forFold ? HIDDEN : null;
      }),
    data,
  );

/** @param declared undefined: this program does not know the type */
export const concealEvent = (event: Recorded, declared: Known | undefined, forFold: boolean): ConcealedEvent => {
  const { meta } = event;
  const people = new Set<string>();
  const data = concealAt(event.data, declared?.personal ?? [], forFold);
  // An event that cannot be read, and one of a room of release 0.1.0, name nobody.
  const person = declared && data !== event.data ? namedPerson(event, declared) : undefined;
  if (person !== undefined) people.add(person);
  const actor = personOfAddress(meta);
  const isAddressShown = actor !== undefined && meta.ip !== null && !isPlaceholder(meta.ip);
  if (isAddressShown) people.add(actor);
  const shown = { data: data as object, ...(isAddressShown && { meta: { ...meta, ip: HIDDEN } }) };
  return { event: Object.assign({ ...event }, shown), people: [...people] };
};
