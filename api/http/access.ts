/** The words that a route declares itself with: who may call it, how often, and which service answers. */

/** The services that the interface names. One process answers for all of them; `x-service` says for which. */
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
 * - `public`: anyone; a valid access token is recognised, an invalid one is ignored
 * - `user`: anyone signed in
 * - `provider`: the selling roles and admins
 * - `admin`: admins
 * - `seed`: the holder of `X-Admin-Token`, or an admin
 * - `auditor`: admins, or an API key with the scope `audit:read`
 * - `sensor`: admins, or an API key with the scope `snow:report`
 * - `scope:…`: an API key with that scope
 * - `emergency`: anyone signed in, also with an access token that expired within a day. Requests for help are never
 *   limited; positions after them are limited by their `rate` only
 * - `signed`: a sender whose signature the handler verifies
 */
export type Access =
  | 'public'
  | 'user'
  | 'provider'
  | 'admin'
  | 'seed'
  | 'emergency'
  | 'signed'
  | 'auditor'
  | 'sensor'
  | `scope:${string}`;

/** Where admins may be replaced by a machine: the scope that its API key needs. */
export const scopeInsteadOfAdmin: { readonly [A in Access]?: string } = {
  auditor: 'audit:read',
  sensor: 'snow:report',
};

/** Requests a minute under each policy. */
export const perMinute = {
  /** General: by account, by address and by API key. */
  user: 300,
  anonymous: 60,
  partner: 120,
  /** Senders of signed messages, by address, before the signature is verified. */
  sender: 1_200,
  /** Operations whose own limit depends on the body, by address, before the body is read. */
  address: 600,
  /** `/docs` and the other documents, by address. */
  documents: 120,
  /** Declared by a route, as its `rate`. */
  login: 10,
  oauth: 60,
  refresh: 120,
  money: 20,
  availability: 60,
  call: 20,
  /** Batches of points of a track, by account. */
  points: 60,
  /** Events of apps, alone or in batches, by account. */
  events: 120,
  /** Plans of a day, by account: each takes the processor for some time. */
  plan: 30,
  /** What is open, by address: many guests are behind one, and all of them look at it. */
  status: 1_200,
  /** Scans of ski passes, by the API key of the gate. */
  scans: 600,
  notification: 1_200,
  /** Pictures and other files, by address: a page shows many of them. */
  file: 3_000,
} as const;
export type Policy = keyof typeof perMinute;

/**
 * The limit of an operation beside the general one. With `rateBy` it counts by address and that field of the body, and
 * replaces the general one, because many people may sign in or refresh from one address; `notification` counts what has a
 * valid signature, by sender; `file` and `status` count by address, `events` by account and `scans` by API key, and all four
 * replace the general one.
 */
export type Rate =
  | 'login'
  | 'oauth'
  | 'refresh'
  | 'money'
  | 'availability'
  | 'call'
  | 'plan'
  | 'points'
  | 'events'
  | 'scans'
  | 'notification'
  | 'file'
  | 'status';

/** Operations that establish who the caller is: a token sent along says nothing about them. */
export const establishesCaller = (rate: Rate | undefined): boolean =>
  rate === 'login' || rate === 'oauth' || rate === 'refresh';
