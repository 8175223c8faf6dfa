/** Which service a path belongs to, also where no operation is mounted: the `x-service` of 404 and 405. */
import { type Service, services } from './access.ts';
import { addressesOf, type Route } from './route.ts';

/** Domains of the interface. Those that have routes of their own need not be listed. */
const DOMAINS: Readonly<Record<string, Service>> = {
  chats: 'chat',
  messages: 'chat',
  'p2p-chats': 'chat',
  reviews: 'chat',
  support: 'chat',
  sos: 'calls',
  metrics: 'analytics',
  events: 'analytics',
  files: 'platform',
  attachments: 'platform',
  push: 'platform',
  notifications: 'platform',
  modules: 'platform',
  news: 'platform',
  promotions: 'platform',
  lifts: 'resort',
  recommendations: 'resort',
  ai: 'resort',
  tracking: 'resort',
  webcams: 'resort',
  skipass: 'pass',
  badges: 'gamification',
  leaderboard: 'gamification',
  favorites: 'social',
  appeals: 'social',
  friends: 'social',
  forums: 'social',
  me: 'privacy',
};

/** Audiences may stand before the domain: `/admin/payments`, `/provider/hotels`. */
const DOMAIN = /^\/+(?:api\/+)?(?:v1\/+)?(?:(?:admin|provider)\/+)?([^/]*)/;

/** The segment that names the domain of a path: `/api/v1/admin/payments/1` → `payments`. */
const domainOf = (path: string): string => DOMAIN.exec(path)?.[1] ?? '';

/** Finds the service of a path by its domain; `platform` is the fallback. Where services share a domain, the first counts. */
export const serviceFinder = (routes: readonly Route[]): ((path: string) => Service) => {
  const byDomain = new Map<string, Service>([
    ...Object.entries(DOMAINS),
    ...routes
      .toReversed()
      .flatMap((route) => addressesOf(route).map((address): [string, Service] => [domainOf(address), route.service])),
    ...services.map((service): [string, Service] => [service, service]),
  ]);
  return (path) => byDomain.get(domainOf(path)) ?? 'platform';
};
