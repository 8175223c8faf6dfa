/** What every handler gets: the dependencies of commands, the read database, and authentication. */
import type { CommandDeps } from '../../commands/modules.ts';
import type { Positions } from '../../projections/engine/positions.ts';
import type { ReadDb } from '../../projections/engine/readDb.ts';
import type { OpenedModule } from './appModule.ts';
import type { Partner, User } from './caller.ts';
import type { DeletionBlocker } from './deletionBlocker.ts';

export interface App extends CommandDeps {
  readonly db: ReadDb;
  readonly positions: Positions;
  /** Aborted when the process stops: it ends background work such as rebuilds. */
  readonly stopping: AbortSignal;
  /** The user of this access token; null when it is invalid. */
  readonly authenticateUser: (token: string) => Promise<User | null>;
  /** The partner of this API key; null when it is invalid. @throws HttpError 403 from a domain it does not allow */
  readonly authenticatePartner: (key: string, from: { origin?: string; referer?: string }) => Promise<Partner | null>;
  /**
   * What operations of emergencies get: connections of their own, which wait for nothing that is known to be away, and users
   * whose token may have expired within a day. Absent in specs: the same.
   */
  readonly forEmergencies?: App;
  /** `ok` when the stores do what the API needs: the database takes writes, the log answers. */
  readonly health: () => Promise<'ok' | 'unavailable'>;
  /** What an operator should know although it is `ok`: `/health` is then `degraded`. Absent in specs: nothing. */
  readonly remarks?: () => readonly string[];
  /** The parts of the product. */
  readonly appModules: readonly OpenedModule[];
  /** What has to end before an account can be deleted, of all modules. */
  readonly deletionBlockers: readonly DeletionBlocker[];
  readonly observe: { request(operation: string, status: number, ms: number): void };
  readonly http: HttpSettings;
}

interface HttpSettings {
  readonly version: string;
  /** The secret of `X-Admin-Token`, for seeding. */
  readonly adminToken: string;
  /** Whether that secret is still of use. Absent: always. In production it makes the first two admins. */
  readonly mayUseAdminToken?: () => Promise<boolean>;
  readonly corsOrigins: readonly string[];
  /** Number of reverse proxies whose `X-Forwarded-For` is trusted. */
  readonly trustProxy: number;
  /** Factor on all rate limits; 0 = none. */
  readonly rateLimits: number;
  /** Validates replies against their schema and answers 500 on a mismatch. For tests. */
  readonly checkReplies: boolean;
}
