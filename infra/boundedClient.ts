/** A connection to PostgreSQL that is never held for longer than it is of use. */
import type { Duplex } from 'node:stream';
import pg from 'pg';
import type { LockGate } from './lockGate.ts';
import { isReadOnly } from './storeFaults.ts';

/** How long a connection may take to say goodbye before its socket is closed. */
const CLOSE_MS = 2_000;

type Done = (error: Error | null, result?: pg.QueryResult) => void;

const streamOf = (client: pg.Client): Duplex =>
  (client as unknown as { connection: { stream: Duplex } }).connection.stream;

/**
 * Closes its socket when the other side does not, asks `gate` before each statement, and says when the server turns out to be
 * read-only.
 */
export class BoundedClient extends pg.Client {
  gate: LockGate | undefined;
  onReadOnly: (() => void) | undefined;

  constructor(config?: string | pg.ClientConfig) {
    super(config);
    // The overloads of `pg`: values or not, a callback or a promise.
    const query = (asked: string | pg.QueryConfig, given?: unknown[] | Done, callback?: Done) => {
      const [values, done] = typeof given === 'function' ? [undefined, given] : [given, callback];
      const answer = this.answerTo(typeof asked === 'string' ? { text: asked } : asked, values);
      if (!done) return answer;
      return void answer.then((result) => done(null, result), done);
    };
    this.query = query as typeof this.query;
  }

  /** The answer to each statement of this connection. It is sent before this returns. */
  protected async answerTo(query: pg.QueryConfig, values: unknown[] | undefined): Promise<pg.QueryResult> {
    const entry = this.gate?.enter(query.text) ?? 'free';
    if (entry instanceof Error) throw entry;
    const leave = (error: unknown) => this.gate?.leave(query.text, entry, error);
    try {
      const result = await super.query(query, values);
      leave(null);
      return result;
    } catch (error) {
      leave(error);
      if (isReadOnly(error)) this.onReadOnly?.();
      throw error;
    }
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
