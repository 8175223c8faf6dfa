/** Prepared statements: Postgres parses and plans a statement once for each connection instead of at every execution. */
import { createHash } from 'node:crypto';
import type pg from 'pg';
import { BoundedClient, type Send } from './boundedClient.ts';

/** How many statements one connection prepares. Later ones are sent unprepared, which is slower but always right. */
const MAX_PREPARED = 500;

/** Texts whose names are remembered, so that they are not hashed again. */
const MAX_REMEMBERED = 5_000;

/**
 * Errors of the preparation, not of the statement: its table has other columns now (it was swapped or altered), or a
 * connection pooler has lost the prepared statement or has another one of that name.
 */
const REFUSED = ['0A000', '26000', '42P05'];

interface Statement {
  readonly name: string;
  /** It selects `*` of a table: its result changes with the columns. */
  readonly hasStar: boolean;
}

/** The columns of the rows of these functions stand in the statement. */
const STAR =
  /(?:\bselect|\breturning|,)\s+(?:distinct\s+)?(?:[\w"]+\.)?\*(?!\s+from\s+(?:unnest|json_to_recordset)\()/i;

const remembered = new Map<string, Statement>();

const statementOf = (text: string): Statement => {
  const known = remembered.get(text);
  if (known) return known;
  const made = {
    name: createHash('sha1').update(text).digest('base64url'),
    hasStar: STAR.test(text),
  };
  if (remembered.size < MAX_REMEMBERED) remembered.set(text, made);
  return made;
};

const isRefused = (error: unknown): boolean => REFUSED.includes((error as { code?: string } | null)?.code ?? '');

/**
 * A connection that names its parameterised statements by a hash of their text, so that they stay prepared. Statements
 * without parameters, of which several may be in one text, are sent as they are.
 *
 * A statement whose preparation is refused is repeated once without a name. That is impossible inside a transaction,
 * which the error has ended: so a transaction does not prepare what selects `*`. Should the type of a column change
 * under it all the same, the transaction fails, and the next one succeeds.
 */
export class PreparingClient extends BoundedClient {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    const send = this.query as Send;
    const names = new Map<string, string>();
    let prepared = 0;

    const nameOf = (text: string): string | undefined => {
      const { name, hasStar } = statementOf(text);
      if (hasStar && this.getTransactionStatus() !== 'I') return undefined;
      const known = names.get(text);
      if (known !== undefined || prepared === MAX_PREPARED) return known;
      prepared += 1;
      const fresh = `${name}_${prepared}`;
      names.set(text, fresh);
      return fresh;
    };

    const query: Send = (text, values, done) => {
      if (typeof text !== 'string' || !Array.isArray(values) || values.length === 0) return send(text, values, done);
      const name = nameOf(text);
      if (name === undefined) return send(text, values, done);
      const repeats = (error: unknown): boolean => {
        if (!isRefused(error)) return false;
        names.delete(text); // prepared anew, under another name, by the next execution
        return this.getTransactionStatus() === 'I';
      };
      if (!done)
        return (send({ name, text, values }) as Promise<unknown>).catch((error: unknown) => {
          if (repeats(error)) return send(text, values);
          throw error;
        });
      return send({ name, text, values }, (error: Error | null, result?: unknown) => {
        if (repeats(error)) send(text, values, done);
        else done(error, result);
      });
    };
    this.query = query as typeof this.query;
  }
}
