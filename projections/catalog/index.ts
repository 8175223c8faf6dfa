/** The read models of catalog. */
import type { ReadModel } from '../engine/readModel.ts';
import { companies, hotels, instructors, restaurants, tours, transfers } from './listings.ts';
import { ratings } from './ratings.ts';
import { roomNights } from './roomNights.ts';
import { rooms } from './rooms.ts';
import { slotHolds } from './slotHolds.ts';
import { titles } from './titles.ts';

export const readModels: readonly ReadModel[] = [
  ratings,
  hotels,
  rooms,
  roomNights,
  tours,
  restaurants,
  transfers,
  instructors,
  companies,
  slotHolds,
];

/** What listings are called. Bookings show it. */
export const titleModels: readonly ReadModel[] = [titles];
