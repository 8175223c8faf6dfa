import type { ApiModule } from '../http/module.ts';
import { bookingRoutes } from './bookings.ts';
import { funnelRoutes } from './funnel.ts';
import { newBookingRoutes } from './newBookings.ts';
import { tripRoutes } from './trips.ts';

export const bookings: ApiModule = {
  service: 'bookings',
  routes: [...tripRoutes, ...newBookingRoutes, ...bookingRoutes, ...funnelRoutes],
};
