/** The read models of catalog. */
import type { ReadModel } from '../engine/readModel.ts';
import { companies, hotels, instructors, restaurants, tours, transfers } from './listings.ts';
import { roomNights } from './roomNights.ts';
import { rooms } from './rooms.ts';
import { slotHolds } from './slotHolds.ts';
import { titles } from './titles.ts';

export const readModels: readonly ReadModel[] = [
  hotels,
  rooms,
  roomNights,
  tours,
  restaurants,
  transfers,
  instructors,
  companies,
  slotHolds,
  titles,
];
