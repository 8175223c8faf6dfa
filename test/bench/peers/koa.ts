/**
 * Bare Koa: `/constant` answers a fixed text; `/one/<key>` one stored text and `/list/<key>` a page of stored texts, by one
 * prepared statement; with `jwtSecret`, jose verifies the caller's token first. Nothing else: no router, no validation,
 * no limits, no headers.
 */
import { createSecretKey } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jwtVerify } from 'jose';
import Koa from 'koa';
import pg from 'pg';
import { serveProgram } from '../program.ts';

export interface KoaOptions {
  /** What `/constant` answers. */
  readonly constant?: string;
  readonly databaseUrl?: string;
  /** Calls need a token that was signed with it. */
  readonly jwtSecret?: string;
  /** What `/query` runs, one after the other. It answers the rows of the last one. */
  readonly statements?: readonly { readonly text: string; readonly values: readonly unknown[] }[];
}

const ONE = 'select text from texts where key = $1 and n = 0';
const LIST = 'select text from texts where key = $1 order by n';

serveProgram(async ({ constant, databaseUrl, jwtSecret, statements = [] }: KoaOptions) => {
  const pool = databaseUrl === undefined ? undefined : new pg.Pool({ connectionString: databaseUrl, max: 10 });
  const key = jwtSecret === undefined ? undefined : createSecretKey(Buffer.from(jwtSecret));
  const koa = new Koa();
  koa.use(async (ctx) => {
    const { path } = ctx;
    if (path === '/constant') {
      ctx.type = 'application/json';
      ctx.body = constant;
      return;
    }
    if (key) await jwtVerify((ctx.headers.authorization ?? '').slice('Bearer '.length), key, { algorithms: ['HS256'] });
    ctx.type = 'application/json';
    if (!pool) return;
    if (path === '/query') {
      let rows: unknown[] = [];
      for (const [n, { text, values }] of statements.entries())
        ({ rows } = await pool.query({ name: `query ${n}`, text, values: [...values] }));
      ctx.body = JSON.stringify(rows);
    } else if (path.startsWith('/one/')) {
      const { rows } = await pool.query({ name: 'one', text: ONE, values: [path.slice('/one/'.length)] });
      ctx.body = rows[0].text;
    } else {
      // The last text is what follows the page in its envelope.
      const { rows } = await pool.query({ name: 'list', text: LIST, values: [path.slice('/list/'.length)] });
      const texts = rows.map(({ text }) => text);
      const tail = texts.pop();
      ctx.body = `{"data":[${texts.join(',')}]${tail}`;
    }
  });
  const server = createServer(koa.callback());
  server.keepAliveTimeout = 65_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return async () => `http://127.0.0.1:${port}`;
});
