/** What every handler gets: the write side's dependencies, the read side's database, and who is who. */
import type { CommandDeps } from '../../commands/modules.ts';
import type { Positions } from '../../projections/engine/positions.ts';
import type { ReadDb } from '../../projections/engine/readDb.ts';
import type { Partner, User } from './route.ts';

export interface App extends CommandDeps {
  readonly db: ReadDb;
  readonly positions: Positions;
  /** Rebuilds started here go on after their request; stopping the process cancels them. */
  readonly stopping: AbortSignal;
  /** Who holds this access token; null when it is not valid (any more). */
  readonly authenticateUser: (token: string) => Promise<User | null>;
  /** Whose API key this is. Throws `HttpError` 403 when it is used from a domain that it is not meant for. */
  readonly authenticatePartner: (key: string, from: { origin?: string; referer?: string }) => Promise<Partner | null>;
  /** `ok` when the stores answer. */
  readonly health: () => Promise<'ok' | 'unavailable'>;
  readonly observe: { request(operation: string, status: number, ms: number): void };
  readonly http: HttpSettings;
}

export interface HttpSettings {
  readonly version: string;
  /** Of the seeding tools, `X-Admin-Token`. */
  readonly adminToken: string;
  readonly corsOrigins: readonly string[];
  /** Number of reverse proxies whose `X-Forwarded-For` is believed. */
  readonly trustProxy: number;
  /** Factor on all rate limits; 0 = none. */
  readonly rateLimits: number;
  /** Replies are held to their schema: a mismatch is a 500. For tests; costs time. */
  readonly checkReplies: boolean;
}
