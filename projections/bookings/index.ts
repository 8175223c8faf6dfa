/** The read models of bookings. */
import type { ReadModel } from '../engine/readModel.ts';
import { bookings } from './bookings.ts';
import { trips } from './trips.ts';

// A trip shows its bookings: they come first.
export const readModels: readonly ReadModel[] = [bookings, trips];
