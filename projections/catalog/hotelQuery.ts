/** What a search for hotels asks. */
import type { Paging } from '../engine/paging.ts';
import type { Near } from './sql.ts';

/** `rating`: the best first. */
export const hotelSorts = ['name', 'price', '-price', 'stars', '-stars', 'distance', 'rating'] as const;
type HotelSort = (typeof hotelSorts)[number];

export interface HotelSearch extends Paging {
  readonly hotelId?: string;
  /** All of this owner, including closed ones. Absent: the published ones of all owners. */
  readonly ownerId?: string;
  readonly city?: string;
  readonly stars?: number;
  /** Words or beginnings of words; all of them must occur. */
  readonly q?: string;
  /** Distances are measured from here; only what lies within the radius is found. */
  readonly near?: Near;
  /** Major units, per night. */
  readonly minPrice?: number;
  readonly maxPrice?: number;
  /** Only hotels with a room for this many guests. */
  readonly guests?: number;
  /** Only hotels with a room that is free for this stay. */
  readonly stay?: { readonly checkIn: string; readonly checkOut: string };
  /** The present instant: it decides what "today" is for each hotel. */
  readonly at: string;
  readonly sort: HotelSort;
}
