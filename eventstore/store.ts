/** The interface of an event store, independent of the server. `client/` implements it. */
import type { Position } from '../domain/core/decider.ts';
import { StoreAway } from '../infra/storeFaults.ts';
import type { StoredMetadata } from './metadata.ts';

export interface NewEvent {
  readonly id: string;
  readonly type: string;
  readonly data: Record<string, unknown>;
  readonly metadata: StoredMetadata;
}

export interface StoredEvent extends NewEvent {
  readonly stream: string;
  readonly revision: bigint;
  readonly position: Position;
}

export type Direction = 'forwards' | 'backwards';
export type ExpectedRevision = bigint | 'no_stream';

/** A log, as far as a check needs it that says whether it is the right one. */
export interface LogToCheck {
  /** `host:port` of the event store, of all configured nodes. */
  readonly address: string;
  /**
   * The id of this log; undefined when it was not given one yet. A copy of a log has another id.
   * @param give gives it one then
   */
  id(give?: boolean): Promise<string | undefined>;
  /** Events of one stream, at most `max`; `[]` for a stream that does not exist. */
  read(stream: string, options?: { from?: bigint; direction?: Direction; max?: number }): Promise<StoredEvent[]>;
  /** Domain events of the whole log after (forwards) or before (backwards) a position, and where to go on from. */
  readAll(options: { after?: Position; direction?: Direction; max: number }): Promise<LogPage>;
  /** Position of the newest event of any kind; null for an empty log. */
  head(): Promise<Position | null>;
}

export interface EventStore extends LogToCheck {
  /**
   * Appends all events or none. They are durable when it resolves. Safe to repeat with the same ids and expected
   * revision.
   * @param options `once`: what the store does not answer is not repeated, so that it cannot come after later appends
   * @throws WrongExpectedRevision, EventTooLarge, StoreUnavailable
   */
  append(
    stream: string,
    events: readonly NewEvent[],
    expected: ExpectedRevision,
    options?: { readonly once?: boolean },
  ): Promise<Appended>;
  /**
   * A raw catch-up subscription to all domain events; `subscribe.ts` makes it reliable.
   * @param types the server sends events of these types only
   */
  subscribe(after: Position | null, on: SubscriptionHandlers, types?: ReadonlySet<string>): RawSubscription;
  /** Whether the log was given up for a copy of it. */
  isSealed(): Promise<boolean>;
  /** Seals the log, or opens it again. */
  seal(sealed: boolean): Promise<void>;
  close(): Promise<void>;
}

export interface Appended {
  readonly revision: bigint;
  readonly position: Position;
}

export interface LogPage {
  readonly events: readonly StoredEvent[];
  /** Position of the last record that was read, including system records; null when there was none. */
  readonly last: Position | null;
}

/** Callbacks, in the order of the log. None is called after `dropped` or after `stop`. */
export interface SubscriptionHandlers {
  event(event: StoredEvent): void;
  /** Every event up to this position was delivered. */
  checkpoint(position: Position): void;
  /** Every existing event was delivered. */
  caughtUp(): void;
  /** `tooSlow`: the server ended a live subscription that fell behind. It can be resumed at once. */
  dropped(reason: string, tooSlow?: boolean): void;
}

export interface RawSubscription {
  pause(): void;
  resume(): void;
  stop(): Promise<void>;
}

/** The stream is not at the revision that the caller expected. */
export class WrongExpectedRevision extends Error {
  override readonly name = 'WrongExpectedRevision';
}
export class EventTooLarge extends Error {
  override readonly name = 'EventTooLarge';
}
/** The user of the connection string lacks a right on the server. */
export class AccessDenied extends Error {
  override readonly name = 'AccessDenied';
}
/** The store did not answer, or not in time. An append may or may not have happened: repeat it with the same ids. */
export class StoreUnavailable extends StoreAway {
  override readonly name: string = 'StoreUnavailable';
}
/** The store has been away for some seconds. Nobody waits for it, so that it is no use to repeat the call now. */
export class KnownAway extends StoreUnavailable {
  override readonly name: string = 'KnownAway';
}
/** The event store has another log than the one that the database follows. Nothing is read from it or appended to it. */
export class OtherLog extends KnownAway {
  override readonly name = 'OtherLog';
}
