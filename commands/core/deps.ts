/** What every command, policy and job can use. A module adds its own ports and settings in its `deps.ts`. */
import type { EventStore } from '../../eventstore/client/index.ts';
import type { Codec } from '../../eventstore/codec.ts';
import type { Vault } from '../../eventstore/vault.ts';
import type { Logger } from '../../infra/log.ts';
import type { Pool } from '../../infra/postgres.ts';
import type { Aggregates } from './handle.ts';

export interface CoreDeps {
  readonly aggregates: Aggregates;
  readonly store: EventStore;
  readonly codec: Codec;
  readonly vault: Vault;
  /** For the `ops` schema only. Decisions never read from read models. */
  readonly pool: Pool;
  /** The current time, RFC 3339 UTC, for policies and jobs. A request brings its own time in its context. */
  readonly now: () => string;
  readonly log: Logger;
  readonly settings: CoreSettings;
}

export interface CoreSettings {
  /** The base URL of the API, and the default return URL. */
  readonly publicUrl: string;
  /** Origins of the allowed return URLs. */
  readonly returnOrigins: readonly string[];
}
