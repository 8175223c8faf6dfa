/** What can be booked: hotels with rooms, tours, restaurants, transfers, instructors; search and availability. */
import { followHotels } from '../../projections/catalog/followHotels.ts';
import { appModule } from '../http/appModule.ts';
import type { ApiModule } from '../http/module.ts';
import { hotelRoutes } from './hotels.ts';
import { listingRoutes } from './listings.ts';
import { roomRoutes } from './rooms.ts';
import { slotRoutes } from './slots.ts';

export const catalog: ApiModule = {
  service: 'catalog',
  opens: appModule('catalog'),
  routes: [...hotelRoutes, ...roomRoutes, ...listingRoutes, ...slotRoutes],
  start: followHotels,
};
