/** The write-side manifest of this module. */
import type { CommandModule } from '../core/module.ts';
import { firstBookingMigrations } from './firstBookings.ts';

export const promotions = { migrations: [firstBookingMigrations] } as const satisfies CommandModule;
