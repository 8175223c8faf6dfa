/** What can be booked: hotels with rooms, tours, restaurants, transfers, instructors; search and availability. */
import { followHotels } from '../../projections/catalog/followHotels.ts';
import { appModule } from '../http/appModule.ts';
import type { ApiModule } from '../http/module.ts';
import type { ForViewer } from './forViewer.ts';
import { hotelRoutes } from './hotels.ts';
import { listingRoutes } from './listings.ts';
import { roomRoutes } from './rooms.ts';
import { slotRoutes } from './slots.ts';

/** @param forViewer what a module above adds to listings */
export const catalogWith = (forViewer: ForViewer): ApiModule => ({
  service: 'catalog',
  opens: appModule('catalog'),
  routes: [...hotelRoutes(forViewer), ...roomRoutes, ...listingRoutes(forViewer), ...slotRoutes],
  start: followHotels,
});
