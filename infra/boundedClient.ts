/** A connection to PostgreSQL that is never held for longer than it is of use. */
import type { Duplex } from 'node:stream';
import pg from 'pg';
import type { LockGate } from './lockGate.ts';
import { isReadOnly } from './storeFaults.ts';

/** How long a connection may take to say goodbye before its socket is closed. */
const CLOSE_MS = 2_000;

type Done = (error: Error | null, result?: unknown) => void;
/** What `query` of `pg` is, without its overloads. */
export type Send = (query: unknown, values?: unknown, done?: Done) => unknown;

const streamOf = (client: pg.Client): Duplex =>
  (client as unknown as { connection: { stream: Duplex } }).connection.stream;

const textOf = (query: unknown): string =>
  String(typeof query === 'string' ? query : (query as { text?: unknown }).text);

/**
 * Closes its socket when the other side does not, asks `gate` before each statement, and says when the server turns out to be
 * read-only.
 */
export class BoundedClient extends pg.Client {
  gate: LockGate | undefined;
  onReadOnly: (() => void) | undefined;

  constructor(config?: string | pg.ClientConfig) {
    super(config);
    const send: Send = (...query) => Reflect.apply(pg.Client.prototype.query, this, query) as unknown;
    const query: Send = (asked, given, callback) => {
      const values = typeof given === 'function' ? undefined : given;
      const done = typeof given === 'function' ? (given as Done) : callback;
      const text = textOf(asked);
      const entry = this.gate?.enter(text) ?? 'free';
      const refusal = entry instanceof Error ? entry : undefined;
      const settle = (error: unknown): void => {
        this.gate?.leave(text, entry, error);
        if (isReadOnly(error)) this.onReadOnly?.();
      };
      if (done) {
        if (refusal) return void process.nextTick(done, refusal);
        return send(asked, values, (error, result) => {
          settle(error);
          done(error, result);
        });
      }
      if (refusal) return Promise.reject(refusal);
      return (send(asked, values) as Promise<unknown>).then(
        (result) => {
          settle(null);
          return result;
        },
        (error: unknown) => {
          settle(error);
          throw error;
        },
      );
    };
    this.query = query as typeof this.query;
  }

  /** Closes the socket at once. Who waits for an answer gets this error. */
  giveUp(reason: Error): void {
    streamOf(this).destroy(reason);
  }

  override end(): Promise<void>;
  override end(done: (error: Error) => void): void;
  override end(done?: (error: Error) => void): Promise<void> | void {
    const timer = setTimeout(() => streamOf(this).destroy(), CLOSE_MS);
    timer.unref();
    this.once('end', () => clearTimeout(timer));
    return done ? super.end(done) : super.end();
  }
}
