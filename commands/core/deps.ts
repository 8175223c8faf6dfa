/** What commands and policies work with. Handed down by `ops/`; each command names only what it needs of it. */
import type { EventStore } from '../../eventstore/client/index.ts';
import type { Codec } from '../../eventstore/codec.ts';
import type { Vault } from '../../eventstore/vault.ts';
import type { Logger } from '../../infra/log.ts';
import type { Pool } from '../../infra/postgres.ts';
import type { IdentityProviders } from '../accounts/identityProvider.ts';
import type { SmsSender } from '../accounts/sms.ts';
import type { PaymentProviders } from '../payments/port.ts';
import type { Aggregates } from './handle.ts';

export interface CommandDeps {
  readonly store: EventStore;
  readonly codec: Codec;
  readonly aggregates: Aggregates;
  readonly vault: Vault;
  readonly paymentProviders: PaymentProviders;
  readonly identityProviders: IdentityProviders;
  /** The `ops` schema only: read models are not for deciding. */
  readonly pool: Pool;
  readonly sms: SmsSender;
  readonly log: Logger;
  /** The time it is, RFC 3339 UTC, for what acts by itself: policies and jobs. A request brings its own. */
  readonly now: () => string;
  readonly settings: CommandSettings;
}

export interface CommandSettings {
  readonly jwtSecret: string;
  readonly jwtSecretPrevious: string | undefined;
  readonly smsPepper: string;
  /** Factor on the limits that many people can share, such as failed sign-ins from one address; 0 = none. */
  readonly rateLimits: number;
  readonly holdTtlMs: number;
  readonly paymentTtlMs: number;
  /** `manual`: money is reserved first, and taken once what it pays for is certain. */
  readonly paymentCapture: 'automatic' | 'manual';
  /** After what was booked is over, until its owner can be paid. */
  readonly disputeWindowMs: number;
  /** 0–23, UTC. */
  readonly reconciliationHour: number;
  /** Where a payer may be sent back to: origins. */
  readonly returnOrigins: readonly string[];
  /** Where a payer goes when the client named no address. */
  readonly publicUrl: string;
}
