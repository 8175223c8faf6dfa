/** Promo codes and their uses. */
import type { ApiModule } from '../http/module.ts';
import { promoCodeRoutes } from './promoCodes.ts';

export const promotions: ApiModule = { service: 'bookings', routes: promoCodeRoutes };
