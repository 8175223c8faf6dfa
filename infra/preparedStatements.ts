/** Prepared statements: Postgres parses and plans a statement once for each connection instead of at every execution. */
import { createHash } from 'node:crypto';
import type pg from 'pg';
import { BoundedClient } from './boundedClient.ts';

/** How many statements one connection prepares. Later ones are sent unprepared, which is slower but always right. */
const MAX_PREPARED = 500;

/**
 * Errors of the preparation, not of the statement: its table has other columns now (it was swapped or altered), or a
 * connection pooler has lost the prepared statement or has another one of that name.
 */
const REFUSED = ['0A000', '26000', '42P05'];

/** Whether a statement failed only because it was prepared: repeated, alone or with its transaction, it is prepared anew. */
export const isPreparationRefused = (error: unknown): boolean =>
  REFUSED.includes((error as { code?: string } | null)?.code ?? '');

/**
 * A connection that prepares its statements with parameters, each under a name. Statements without parameters, of which
 * several may be in one text, are sent as they are. One whose preparation is refused is repeated once without a name; in a
 * transaction, which the error has ended, `inTransaction` repeats all of it on this connection.
 */
export class PreparingClient extends BoundedClient {
  /** Text → name. */
  readonly #names = new Map<string, string>();
  #prepared = 0;

  #nameOf(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known !== undefined || this.#prepared === MAX_PREPARED) return known;
    this.#prepared += 1;
    // The number: a text that is prepared anew needs another name.
    const name = `${createHash('sha1').update(text).digest('base64url')}_${this.#prepared}`;
    this.#names.set(text, name);
    return name;
  }

  protected override async answerTo(query: pg.QueryConfig, values: unknown[] | undefined): Promise<pg.QueryResult> {
    const name = values?.length ? this.#nameOf(query.text) : undefined;
    if (name === undefined) return super.answerTo(query, values);
    try {
      return await super.answerTo({ ...query, name }, values);
    } catch (error) {
      if (!isPreparationRefused(error)) throw error;
      // What has changed, or was lost, may concern other statements as well: each is prepared anew.
      this.#names.clear();
      if (this.getTransactionStatus() !== 'I') throw error;
      return super.answerTo(query, values);
    }
  }
}
