/** Lines that send one kind of request: a constant, one row, a page of rows. */
import { answerTo, type Served, withLoad } from '../http.ts';
import { type Bench, type Line, type Row, rateGoal } from '../line.ts';
import type { Request } from '../load.ts';
import { type Program, startProgram } from '../program.ts';
import type { Resort } from '../resort.ts';
import { compare } from '../rounds.ts';
import { fillBookings } from '../stays.ts';
import { query } from '../stores.ts';

const JWT_SECRET = 'dev-only-jwt-secret-not-for-production';

/** The system's own answer and a bare peer that answers the same bytes, in turn. */
const compareWith = async (
  { size }: Bench,
  name: string,
  ours: Served,
  peer: Program,
  theirs: Omit<Served, 'processes'> & { readonly postgres?: number },
  goal: number,
): Promise<Row> => {
  const { postgres, ...served } = theirs;
  const processes = () => ({ koa: peer.pid, ...(postgres !== undefined && { postgres }) });
  const results = await withLoad([ours, { ...served, processes, isPeer: true }], (contenders) =>
    compare(contenders, size.plan),
  );
  return { name, results, goals: [rateGoal(results[0], results[1], goal)] };
};

const constantLine = (name: string, line: string, status: number, label: string): Line => ({
  name,
  work: `\`${line}\``,
  peer: 'bare Koa that answers a constant',
  goal: '≥ 0.5 ×',
  run: async (bench) => {
    const { system } = await bench.resort();
    const peer = await startProgram('peers/koa', { constant: JSON.stringify({ service: 'platform', status: 'ok' }) });
    try {
      const url = await peer.ask<string>({});
      const { api, processes, counts } = system;
      const ours = { name: 'ours', processes, counts, load: { url: api, requests: [{ line }], awake: true, status } };
      const load = { url, requests: [{ line: 'GET /constant' }], awake: true, status: 200 };
      return [await compareWith(bench, label, ours, peer, { name: 'bare Koa', load }, 0.5)];
    } finally {
      await peer.stop();
    }
  },
});

/** Stores what the system answers as texts, by key. */
const storeTexts = async (url: string, texts: ReadonlyMap<string, readonly string[]>): Promise<void> => {
  await query(url, 'create table texts (key text, n integer, text text, primary key (key, n))');
  for (const [key, parts] of texts)
    for (const [n, text] of parts.entries()) await query(url, 'insert into texts values ($1, $2, $3)', [key, n, text]);
  await query(url, 'vacuum analyze texts');
};

/** The items of a page as texts, and the rest of its envelope after them. */
const partsOf = (page: string): string[] => {
  const { data, ...rest } = JSON.parse(page) as { data: unknown[] };
  const items = data.map((item) => JSON.stringify(item));
  const tail = `,${JSON.stringify(rest).slice(1)}`;
  if (`{"data":[${items.join(',')}]${tail}` !== page) throw new Error('the page is not made of its items');
  return [...items, tail];
};

/** Our answer to a request beside stored texts behind bare Koa. */
const storedRow = async (
  bench: Bench,
  { stores, system }: Resort,
  {
    name,
    request,
    kind,
    authenticated,
    mayChange = false,
  }: {
    name: string;
    request: Request;
    kind: 'one' | 'list';
    authenticated: boolean;
    /** With the time: other bytes are no error. */
    mayChange?: boolean;
  },
): Promise<Row> => {
  const body = await answerTo(system.api, request);
  const databaseUrl = await stores.emptyDatabase('bench_koa');
  await storeTexts(databaseUrl, new Map([['a', kind === 'one' ? [body] : partsOf(body)]]));
  const peer = await startProgram('peers/koa', { databaseUrl, ...(authenticated && { jwtSecret: JWT_SECRET }) });
  try {
    const url = await peer.ask<string>({});
    const { api, processes, counts } = system;
    const ours = {
      name: 'ours',
      processes,
      counts,
      load: { url: api, requests: [request], status: 200, ...(!mayChange && { body }) },
    };
    const requests = [{ ...request, line: `GET /${kind}/a` }];
    const theirs = {
      name: 'bare Koa + pg',
      postgres: stores.postgres.pid,
      counts: () => stores.statements(databaseUrl),
      load: { url, requests, status: 200, body },
    };
    return await compareWith(bench, name, ours, peer, theirs, 0.5);
  } finally {
    await peer.stop();
  }
};

const oneRow: Line = {
  name: 'one row',
  work: '`GET /bookings/:id`, authenticated',
  peer: 'bare Koa + pg: the same bytes by one prepared select of stored text, token checked by jose',
  goal: '≥ 0.5 ×',
  run: async (bench) => {
    const resort = await bench.resort();
    const headers = await fillBookings(resort);
    const mine = JSON.parse(await answerTo(resort.system.api, { line: 'GET /api/v1/bookings/me', headers }));
    const { id } = mine.data[0];
    const request = { line: `GET /api/v1/bookings/${id}`, headers };
    return [await storedRow(bench, resort, { name: 'one row', request, kind: 'one', authenticated: true })];
  },
};

const list: Line = {
  name: 'list',
  work: 'a page of hotels, of tours, and of own bookings',
  peer: 'bare Koa + pg: the same bytes by one prepared select of the stored texts of the rows',
  goal: '≥ 0.5 × each',
  run: async (bench) => {
    const resort = await bench.resort();
    const headers = await fillBookings(resort);
    const lists = [
      { name: 'list: hotels', request: { line: 'GET /api/v1/hotels' }, authenticated: false },
      { name: 'list: tours', request: { line: 'GET /api/v1/tours' }, authenticated: false },
      { name: 'list: bookings/me', request: { line: 'GET /api/v1/bookings/me', headers }, authenticated: true },
    ];
    const rows: Row[] = [];
    for (const one of lists) rows.push(await storedRow(bench, resort, { ...one, kind: 'list' }));
    return rows;
  },
};

const mountain: Line = {
  name: 'resort status',
  work: '`GET /resort/status`, from memory',
  peer: 'bare Koa + pg: the same bytes by one prepared select of stored text',
  goal: '≥ 0.5 ×',
  run: async (bench) => {
    const request = { line: 'GET /api/v1/resort/status' };
    const asked = { name: 'resort status', request, kind: 'one', authenticated: false, mayChange: true } as const;
    return [await storedRow(bench, await bench.resort(), asked)];
  },
};

export const requestLines: readonly Line[] = [
  constantLine('health', 'GET /health', 200, 'health'),
  constantLine('unknown path', 'GET /api/v1/nothing-here', 404, 'unknown path'),
  oneRow,
  list,
  mountain,
];
