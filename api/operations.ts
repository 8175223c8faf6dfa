/**
 * The permission matrix, as one table: every operation, the service that answers it (the `x-service` header), who may
 * call it. A route can't be declared without a line here, and every line × role is tested.
 */
import type { Scope } from '../domain/catalog/apiKey.ts';

export const services = [
  'auth',
  'catalog',
  'bookings',
  'chat',
  'calls',
  'analytics',
  'platform',
  'resort',
  'pass',
  'gamification',
  'stories',
  'social',
  'privacy',
] as const;
export type Service = (typeof services)[number];

/**
 * `user`: anyone signed in · `provider`: the selling roles and admins · `seed`: `X-Admin-Token`, or an admin ·
 * `signed`: the handler verifies the sender · `auditor`: admins, or an API key with `audit:read` ·
 * `scope:…`: an API key with that scope.
 */
export type Access = 'public' | 'user' | 'provider' | 'admin' | 'seed' | 'signed' | 'auditor' | `scope:${Scope}`;

/** Which rate limit applies beyond the general ones (`api/rateLimits.ts`). */
export type Rate = 'login' | 'money' | 'partner' | 'availability';

export interface Operation {
  readonly service: Service;
  readonly access: Access;
  readonly rate?: Rate;
}

export const operations = {
  'POST /auth/login': { service: 'auth', access: 'public', rate: 'login' },
  'POST /auth/refresh': { service: 'auth', access: 'public', rate: 'login' },
  'POST /auth/logout': { service: 'auth', access: 'user' },
  'GET /auth/me': { service: 'auth', access: 'user' },
  'POST /auth/sms/send-code': { service: 'auth', access: 'public', rate: 'login' },
  'POST /auth/sms/verify-code': { service: 'auth', access: 'public', rate: 'login' },
  'GET /auth/sms/status': { service: 'auth', access: 'public' },
  'PUT /api/v1/users/me': { service: 'auth', access: 'user' },
  'POST /api/v1/users/password': { service: 'auth', access: 'user', rate: 'login' },
  'GET /api/v1/admin/accounts': { service: 'auth', access: 'admin' },
  'POST /api/v1/admin/accounts': { service: 'auth', access: 'seed' },
  'PUT /api/v1/admin/accounts/:id/role': { service: 'auth', access: 'admin' },
  'POST /api/v1/role-requests': { service: 'auth', access: 'user' },
  'GET /api/v1/role-requests/me': { service: 'auth', access: 'user' },
  'DELETE /api/v1/role-requests/me': { service: 'auth', access: 'user' },
  'GET /api/v1/admin/role-requests': { service: 'auth', access: 'admin' },
  'POST /api/v1/admin/role-requests/:id/approve': { service: 'auth', access: 'admin' },
  'POST /api/v1/admin/role-requests/:id/reject': { service: 'auth', access: 'admin' },

  'GET /ota/v1/hotels': { service: 'catalog', access: 'scope:hotels:read', rate: 'partner' },
  'GET /ota/v1/hotels/:hotel_id': { service: 'catalog', access: 'scope:hotels:read', rate: 'partner' },
  'GET /ota/v1/hotels/:hotel_id/rooms': { service: 'catalog', access: 'scope:rooms:read', rate: 'partner' },
  'GET /ota/v1/hotels/:hotel_id/availability': {
    service: 'catalog',
    access: 'scope:availability:read',
    rate: 'availability',
  },
  'GET /api/v1/hotels': { service: 'catalog', access: 'public' },
  'GET /api/v1/hotels/:id': { service: 'catalog', access: 'public' },
  'POST /api/v1/hotels': { service: 'catalog', access: 'provider' },
  'PATCH /api/v1/hotels/:id': { service: 'catalog', access: 'provider' },
  'DELETE /api/v1/hotels/:id': { service: 'catalog', access: 'provider' },
  'POST /api/v1/hotels/:id/rooms': { service: 'catalog', access: 'provider' },
  'PATCH /api/v1/rooms/:id': { service: 'catalog', access: 'provider' },
  'PUT /api/v1/rooms/:id/nights': { service: 'catalog', access: 'provider' },
  'GET /api/v1/provider/hotels': { service: 'catalog', access: 'provider' },
  'GET /api/v1/tours': { service: 'catalog', access: 'public' },
  'GET /api/v1/tours/:id': { service: 'catalog', access: 'public' },
  'POST /api/v1/tours': { service: 'catalog', access: 'provider' },
  'PATCH /api/v1/tours/:id': { service: 'catalog', access: 'provider' },
  'DELETE /api/v1/tours/:id': { service: 'catalog', access: 'provider' },
  'GET /api/v1/provider/tours': { service: 'catalog', access: 'provider' },
  'GET /api/v1/restaurants': { service: 'catalog', access: 'public' },
  'GET /api/v1/restaurants/:id': { service: 'catalog', access: 'public' },
  'POST /api/v1/restaurants': { service: 'catalog', access: 'provider' },
  'PATCH /api/v1/restaurants/:id': { service: 'catalog', access: 'provider' },
  'DELETE /api/v1/restaurants/:id': { service: 'catalog', access: 'provider' },
  'GET /api/v1/provider/restaurants': { service: 'catalog', access: 'provider' },
  'GET /api/v1/transfers/routes': { service: 'catalog', access: 'public' },
  'GET /api/v1/transfers/:id': { service: 'catalog', access: 'public' },
  'POST /api/v1/transfers': { service: 'catalog', access: 'provider' },
  'PATCH /api/v1/transfers/:id': { service: 'catalog', access: 'provider' },
  'DELETE /api/v1/transfers/:id': { service: 'catalog', access: 'provider' },
  'GET /api/v1/provider/transfers': { service: 'catalog', access: 'provider' },
  'GET /api/v1/instructors': { service: 'catalog', access: 'public' },
  'GET /api/v1/instructors/:id': { service: 'catalog', access: 'public' },
  'POST /api/v1/instructors': { service: 'catalog', access: 'provider' },
  'PATCH /api/v1/instructors/:id': { service: 'catalog', access: 'provider' },
  'DELETE /api/v1/instructors/:id': { service: 'catalog', access: 'provider' },
  'GET /api/v1/provider/instructors': { service: 'catalog', access: 'provider' },
  'GET /api/v1/companies': { service: 'catalog', access: 'public' },
  'GET /api/v1/companies/:id': { service: 'catalog', access: 'public' },
  'POST /api/v1/companies': { service: 'catalog', access: 'provider' },
  'PATCH /api/v1/companies/:id': { service: 'catalog', access: 'provider' },
  'DELETE /api/v1/companies/:id': { service: 'catalog', access: 'provider' },
  'GET /api/v1/provider/companies': { service: 'catalog', access: 'provider' },
  'GET /api/v1/admin/api-keys': { service: 'catalog', access: 'admin' },
  'POST /api/v1/admin/api-keys': { service: 'catalog', access: 'seed' },
  'POST /api/v1/admin/api-keys/:id/rotate': { service: 'catalog', access: 'admin' },
  'DELETE /api/v1/admin/api-keys/:id': { service: 'catalog', access: 'admin' },

  'GET /api/v1/ski-pass/tariffs': { service: 'pass', access: 'public' },
  'GET /api/v1/pass/tariffs': { service: 'pass', access: 'public' },
  'GET /api/v1/admin/ski-pass/tariffs': { service: 'pass', access: 'admin' },
  'POST /api/v1/admin/ski-pass/tariffs': { service: 'pass', access: 'admin' },
  'PATCH /api/v1/admin/ski-pass/tariffs/:id': { service: 'pass', access: 'admin' },
  'GET /api/v1/insurance/products': { service: 'bookings', access: 'public' },
  'GET /api/v1/admin/insurance/products': { service: 'bookings', access: 'admin' },
  'POST /api/v1/admin/insurance/products': { service: 'bookings', access: 'admin' },
  'PATCH /api/v1/admin/insurance/products/:id': { service: 'bookings', access: 'admin' },

  'POST /api/v1/bookings/create': { service: 'bookings', access: 'user' },
  'POST /api/v1/tour-bookings': { service: 'bookings', access: 'user' },
  'POST /api/v1/transfers/bookings': { service: 'bookings', access: 'user' },
  'POST /api/v1/restaurants/:id/table-bookings': { service: 'bookings', access: 'user' },
  'POST /api/v1/instructors/booking/:id': { service: 'bookings', access: 'user' },
  'GET /api/v1/bookings/': { service: 'bookings', access: 'user' },
  'GET /api/v1/bookings/me': { service: 'bookings', access: 'user' },
  'GET /api/v1/bookings/provider': { service: 'bookings', access: 'provider' },
  'GET /api/v1/bookings/:id': { service: 'bookings', access: 'user' },
  'PATCH /api/v1/bookings/:id': { service: 'bookings', access: 'user' },
  'GET /api/v1/bookings/:id/cancellation-quote': { service: 'bookings', access: 'user' },
  'POST /api/v1/bookings/:id/cancel': { service: 'bookings', access: 'user' },
  'POST /api/v1/bookings/:id/confirm': { service: 'bookings', access: 'provider' },
  'POST /api/v1/bookings/:id/reject': { service: 'bookings', access: 'provider' },
  'POST /api/v1/bookings/:id/no-show': { service: 'bookings', access: 'provider' },
  'POST /api/v1/payments/process': { service: 'bookings', access: 'user', rate: 'money' },
  'POST /api/v1/payments/:id/cancel': { service: 'bookings', access: 'user', rate: 'money' },
  'POST /api/v1/payments/:id/refund': { service: 'bookings', access: 'provider', rate: 'money' },
  'GET /api/v1/payments/me': { service: 'bookings', access: 'user' },
  'GET /api/v1/payments/history': { service: 'bookings', access: 'user' },
  'GET /api/v1/payments/methods': { service: 'bookings', access: 'user' },
  'POST /api/v1/payments/methods': { service: 'bookings', access: 'user', rate: 'money' },
  'GET /api/v1/payments/methods/:id': { service: 'bookings', access: 'user' },
  'POST /api/v1/payments/methods/:id/default': { service: 'bookings', access: 'user' },
  'DELETE /api/v1/payments/methods/:id': { service: 'bookings', access: 'user' },
  'GET /api/v1/payments/:id': { service: 'bookings', access: 'user' },
  'GET /api/v1/admin/payments': { service: 'bookings', access: 'admin' },
  'GET /api/v1/admin/payments/review': { service: 'bookings', access: 'admin' },
  'POST /api/v1/admin/payments/:id/refunds/:refund_id/retry': { service: 'bookings', access: 'admin', rate: 'money' },
  'POST /api/v1/admin/notifications/:id/retry': { service: 'bookings', access: 'admin', rate: 'money' },
  'POST /api/v1/payments/webhooks/:provider': { service: 'bookings', access: 'signed' },
  'POST /api/v1/admin/payouts': { service: 'bookings', access: 'admin', rate: 'money' },
  'GET /api/v1/admin/payouts': { service: 'bookings', access: 'admin' },
  'POST /api/v1/admin/payouts/:id/paid': { service: 'bookings', access: 'admin', rate: 'money' },
  'POST /api/v1/admin/payouts/:id/failed': { service: 'bookings', access: 'admin', rate: 'money' },
  'GET /api/v1/provider/payouts': { service: 'bookings', access: 'provider' },
  'GET /api/v1/provider/balance': { service: 'bookings', access: 'provider' },
  'GET /api/v1/provider/statement': { service: 'bookings', access: 'provider' },
  'GET /api/v1/admin/ledger/entries': { service: 'bookings', access: 'admin' },
  'GET /api/v1/admin/ledger/balances': { service: 'bookings', access: 'admin' },
  'GET /api/v1/admin/ledger/owners/:owner_id/statement': { service: 'bookings', access: 'admin' },

  'GET /api/v1/admin/commissions': { service: 'bookings', access: 'admin' },
  'GET /api/v1/admin/commissions/preview': { service: 'bookings', access: 'admin' },
  'GET /api/v1/admin/commissions/roles': { service: 'bookings', access: 'admin' },
  'PUT /api/v1/admin/commissions/roles': { service: 'bookings', access: 'admin' },
  'GET /api/v1/admin/commissions/global': { service: 'bookings', access: 'admin' },
  'PUT /api/v1/admin/commissions/global': { service: 'bookings', access: 'admin' },
  'DELETE /api/v1/admin/commissions/global': { service: 'bookings', access: 'admin' },
  'GET /api/v1/admin/commissions/owners/:owner_id': { service: 'bookings', access: 'admin' },
  'PUT /api/v1/admin/commissions/owners/:owner_id': { service: 'bookings', access: 'admin' },
  'DELETE /api/v1/admin/commissions/owners/:owner_id': { service: 'bookings', access: 'admin' },

  'GET /api/v1/admin/payment-settings': { service: 'bookings', access: 'admin' },
  'PUT /api/v1/admin/payment-settings': { service: 'bookings', access: 'admin' },
  'GET /api/v1/admin/payment-settings/owners/:owner_id': { service: 'bookings', access: 'admin' },
  'PUT /api/v1/admin/payment-settings/owners/:owner_id': { service: 'bookings', access: 'admin' },
  'GET /api/v1/provider/payment-settings': { service: 'bookings', access: 'provider' },
  'PUT /api/v1/provider/payment-settings': { service: 'bookings', access: 'provider' },

  'GET /api/v1/audit/events': { service: 'platform', access: 'auditor' },
  'GET /api/v1/audit/streams/:stream': { service: 'platform', access: 'auditor' },
  'GET /api/v1/audit/streams/:stream/state': { service: 'platform', access: 'auditor' },
  'GET /api/v1/admin/projections': { service: 'platform', access: 'admin' },
  'POST /api/v1/admin/projections/:name/rebuild': { service: 'platform', access: 'admin' },
  'POST /api/v1/admin/projections/:name/cancel': { service: 'platform', access: 'admin' },
  'POST /api/v1/admin/projections/:name/verify': { service: 'platform', access: 'admin' },
  'GET /api/v1/admin/projections/parked': { service: 'platform', access: 'admin' },
  'POST /api/v1/admin/projections/parked/retry': { service: 'platform', access: 'admin' },
} as const satisfies Record<string, Operation>;

export type OperationKey = keyof typeof operations;
export type AccessOf<K extends OperationKey> = (typeof operations)[K]['access'];
