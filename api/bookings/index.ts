/** Bookings of rooms, tours, tables, transfers and lessons, singly or as a trip: prices, changes, cancellation. */
import { appModule } from '../http/appModule.ts';
import type { ApiModule } from '../http/module.ts';
import { bookingRoutes } from './bookings.ts';
import { calendarRoute } from './calendar.ts';
import { changeRoutes } from './changes.ts';
import { funnelRoutes } from './funnel.ts';
import { newBookingRoutes } from './newBookings.ts';
import { tripRoutes } from './trips.ts';

export const bookings: ApiModule = {
  service: 'bookings',
  opens: appModule('bookings'),
  routes: [...tripRoutes, ...newBookingRoutes, ...bookingRoutes, calendarRoute, ...changeRoutes, ...funnelRoutes],
};
