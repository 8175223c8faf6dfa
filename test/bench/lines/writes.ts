/** Lines that write: appends alone, and whole commands. */
import { bearer, withLoad } from '../http.ts';
import { type Line, type Row, rateGoal, resultOf, warmedUp } from '../line.ts';
import { startProgram } from '../program.ts';
import type { Resort } from '../resort.ts';
import { compare, type Work } from '../rounds.ts';
import { stays } from '../stays.ts';
import { startStores } from '../stores.ts';

const JWT_SECRET = 'dev-only-jwt-secret-not-for-production';

const append: Line = {
  name: 'append',
  work: 'one 500-byte event to a new stream, durable, 64 at once',
  peer: "Emmett's Postgres event store",
  goal: '≥ 2 × with the bare client, ≥ 1.7 × through `handle()`',
  run: async ({ size, stopResort }) => {
    await stopResort(); // its projector would follow
    const stores = await startStores('append');
    const eventStore = stores.node.connectionString;
    const databaseUrl = await stores.emptyDatabase('bench_emmett');
    const client = await startProgram('ourAppend', { eventStore, through: 'client' });
    const handle = await startProgram('ourAppend', { eventStore, through: 'handle' });
    const emmett = await startProgram('peers/append', { databaseUrl });
    const run = (program: typeof client) => (seconds: number) => program.ask<Work>({ seconds });
    try {
      const results = await compare(
        [
          {
            name: 'bare client',
            run: run(client),
            processes: () => ({ client: client.pid, eventstore: stores.node.pid }),
          },
          {
            name: 'handle()',
            run: run(handle),
            processes: () => ({ client: handle.pid, eventstore: stores.node.pid }),
          },
          {
            name: 'Emmett',
            isPeer: true,
            run: run(emmett),
            processes: () => ({ client: emmett.pid, postgres: stores.postgres.pid }),
            counts: () => stores.statements(databaseUrl),
          },
        ],
        size.plan,
      );
      const peer = resultOf(results, 'Emmett');
      const goals = [
        rateGoal(results[0], peer, 2, 'Emmett, bare client'),
        rateGoal(results[1], peer, 1.7, 'Emmett, handle()'),
      ];
      return [{ name: 'append', results, goals }];
    } finally {
      for (const program of [client, handle, emmett]) await program.stop();
      await stores.stop();
    }
  },
};

/** Bookings of one night each, for every guest in turn. No pair of room and night comes twice. */
export const bookingsOf = async ({ wiring, guests }: Resort, count: number) => {
  const found = await stays(wiring, count);
  return found.map((stay, n) => ({
    line: 'POST /api/v1/bookings/create',
    headers: bearer(guests[n % guests.length]?.token ?? ''),
    body: JSON.stringify({ type: 'hotel', ...stay, guests: 1 }),
  }));
};

/** More bookings than a contender makes in a second: so many are prepared. */
const MOST_A_SECOND = 800;

const command: Line = {
  name: 'command',
  work: '`POST /bookings/create` (hold and booking, read your writes), 64 connections',
  peer: 'Emmett + Koa + Postgres: two streams, one inline projection',
  goal: '≤ 5 ms CPU over all processes, ≤ 6 statements, ≥ 0.6 ×',
  run: async (bench) => {
    const plan = warmedUp(bench.size.plan);
    const resort = await bench.resort();
    const { stores, system } = resort;
    const databaseUrl = await stores.emptyDatabase('bench_shop');
    const peer = await startProgram('peers/emmettShop', { databaseUrl, jwtSecret: JWT_SECRET });
    try {
      const url = await peer.ask<string>({});
      const seconds = plan.warmUpSeconds + plan.rounds * plan.seconds;
      const requests = await bookingsOf(resort, Math.ceil(seconds * MOST_A_SECOND));
      const { api, processes, counts } = system;
      const ours = { name: 'ours', processes, counts, load: { url: api, requests, once: true, status: 201 } };
      const emmett = {
        name: 'Emmett + Koa',
        isPeer: true,
        processes: () => ({ koa: peer.pid, postgres: stores.postgres.pid }),
        counts: () => stores.statements(databaseUrl),
        load: { url, requests, status: 201 },
      };
      const results = await withLoad([ours, emmett], (contenders) => compare(contenders, plan));
      const [mine] = results;
      const row: Row = {
        name: 'command',
        results,
        goals: [
          { what: 'ms of CPU', value: mine?.cpu?.median ?? Number.NaN, limit: 5, is: 'at most' },
          { what: 'statements', value: mine?.counts?.statements ?? Number.NaN, limit: 6, is: 'at most' },
          rateGoal(mine, results[1], 0.6),
        ],
      };
      return [row];
    } finally {
      await peer.stop();
    }
  },
};

export const writeLines: readonly Line[] = [append, command];
