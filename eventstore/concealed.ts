/**
 * The log as it is shown to whoever gave no reason: what the declarations of events call personal reads `[hidden]`, in
 * events and in the states that they lead to.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Recorded } from '../domain/core/decider.ts';
import { HIDDEN } from '../domain/core/schema.ts';
import type { Codec } from './codec.ts';
import { type ShownEvent, type StateThen, shown, shownEvent } from './history.ts';

/** Something to show, with and without what is personal. */
export interface Concealed<T> {
  readonly open: T;
  readonly hidden: T;
  /** The accounts whose personal data `open` has. */
  readonly people: readonly string[];
}

/** Events in the words of the wire. */
export const concealedEvents = (
  codec: Pick<Codec, 'conceal'>,
  events: readonly Recorded[],
): Concealed<readonly ShownEvent[]> => {
  const concealed = events.map((event) => codec.conceal(event));
  return {
    open: events.map(shownEvent),
    hidden: concealed.map(({ event }) => shownEvent(event)),
    people: [...new Set(concealed.flatMap(({ people }) => people))],
  };
};

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/**
 * What is the same whether personal data can be read or not. Whatever was computed of it differs, and is hidden, too.
 * @param open JSON · @param blind the same, made of events without their personal data
 */
const common = (open: unknown, blind: unknown): unknown => {
  if (isDeepStrictEqual(open, blind)) return open;
  if (!isObject(open) || !isObject(blind) || Array.isArray(open) !== Array.isArray(blind)) return HIDDEN;
  if (!isDeepStrictEqual(Object.keys(open), Object.keys(blind))) return HIDDEN;
  if (Array.isArray(open)) return open.map((item, index) => common(item, (blind as unknown as unknown[])[index]));
  return Object.fromEntries(Object.entries(open).map(([name, inner]) => [name, common(inner, blind[name])]));
};

/** The state of an aggregate as JSON. Where nothing of it is hidden, it says nothing personal of anybody. */
export const concealedState = ({ state, blindState, people }: StateThen): Concealed<unknown> => {
  const open = shown(state);
  const hidden = common(open, shown(blindState));
  return { open, hidden, people: hidden === open ? [] : people };
};
