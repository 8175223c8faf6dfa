/** What of the index of hotels must be read again, as the projector announces the rows that it has written. */
import { hotels } from './listings.ts';
import { ratings } from './ratings.ts';
import { roomNights } from './roomNights.ts';
import { rooms } from './rooms.ts';

/** Before and after every date. */
const ALWAYS = { first: '1970-01-01', last: '9999-12-31' };

export interface Stale {
  hotels: boolean;
  readonly rooms: Set<string>;
  /** Room → the dates in between. */
  readonly nights: Map<string, { first: string; last: string }>;
}
/** Nothing is stale. */
export const nothing = (): Stale => ({ hotels: false, rooms: new Set(), nights: new Map() });
export const isNothing = (stale: Stale): boolean => !stale.hotels && stale.rooms.size === 0 && stale.nights.size === 0;

/** Adds a row, as its model announces it. */
export const note = (stale: Stale, model: string, line: string): void => {
  if (model === hotels.name || model === ratings.name) stale.hotels = true;
  if (model === rooms.name) {
    stale.rooms.add(line);
    stale.nights.set(line, ALWAYS); // what is left of them depends on the room
  }
  if (model !== roomNights.name) return;
  const [room = '', from = ALWAYS.first, to = ALWAYS.last] = line.split(' ');
  const { first, last } = stale.nights.get(room) ?? { first: from, last: to };
  stale.nights.set(room, { first: from < first ? from : first, last: to > last ? to : last });
};
