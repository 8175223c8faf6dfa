/** What every command, policy and job can use. A module adds its own ports in its `deps.ts`, and its `settings.ts`. */
import type { EventStore } from '../../eventstore/client/index.ts';
import type { Codec } from '../../eventstore/codec.ts';
import type { LogReader } from '../../eventstore/history.ts';
import type { Vault } from '../../eventstore/vault.ts';
import type { ExportSection } from '../../infra/exportSections.ts';
import type { Logger } from '../../infra/log.ts';
import type { Pool, PoolClient } from '../../infra/postgres.ts';
import type { Aggregates, CommandContext } from './handle.ts';
import type { JobSink } from './jobChanges.ts';
import type { WithSettings } from './settings.ts';
import type { Snapshots } from './snapshots.ts';

export interface CoreDeps extends WithSettings {
  readonly aggregates: Aggregates;
  /** Of long streams: `aggregates` reads and writes them. */
  readonly snapshots: Snapshots;
  readonly store: EventStore;
  readonly codec: Codec;
  readonly vault: Vault;
  /** For the `ops` schema only. Decisions never read from read models. */
  readonly pool: Pool;
  /** The same for statements that take long: some connections beside the others, which people wait for. */
  readonly patientPool: Pool;
  /** Where jobs are set. A policy collects those of a batch of events, and sets them before its checkpoint. */
  readonly jobs: JobSink;
  /**
   * Tells accounts on their channel what has changed in durable tables, in the transaction that changes them. Numbered and
   * kept like the changes of read models: who reconnects gets what they missed. The last statement of the transaction: it
   * holds a lock that all changes wait for.
   */
  readonly publish: (client: PoolClient, changes: readonly AccountChange[]) => Promise<void>;
  /** Sends a message that matters for a moment only to whoever listens now, at any hub. It never fails. */
  readonly tell: (message: LiveMessage) => void;
  /**
   * Ends for some seconds what is still to come of a person whose account closes, on their behalf; safe to repeat. Nothing is
   * begun after the signal fires.
   */
  readonly settle: (context: CommandContext, person: string, stopping: AbortSignal) => Promise<Settled>;
  /** Erases a person for good; safe to repeat. */
  readonly erase: (person: string) => Promise<Erased>;
  /** All that is held about a person, as they may see it. */
  readonly exportSections: readonly ExportSection<LogReader>[];
  /** The current time, RFC 3339 UTC, for policies and jobs. A request brings its own time in its context. */
  readonly now: () => string;
  readonly log: Logger;
}

/** `more`: time was up. `stuck`: what is left could not be ended. */
type Settled = 'settled' | 'more' | 'stuck';

/** What an erasure has come to: everything of ours is gone. */
export interface Erased {
  /** How much systems outside have not confirmed yet. */
  readonly waitsOutside: number;
}

/** One message on the channel of an account. */
export interface AccountChange {
  readonly accountId: string;
  /** `notification.created`. */
  readonly type: string;
  /** JSON. */
  readonly data: string;
  /** RFC 3339. */
  readonly at: string;
  /** Other people whom the data shows without their ids: their erasure finds it by this. */
  readonly ofPeople?: readonly string[];
}

/** It has no number, is kept nowhere, and reaches at most once whoever listens. */
export interface LiveMessage {
  /** The address of the channel. */
  readonly channel: string;
  /** `sharing.ended`. */
  readonly type: string;
  /** The account that it comes from. */
  readonly from: string;
  /** When it was sent, as RFC 3339. */
  readonly ts: string;
  readonly data: object;
}
