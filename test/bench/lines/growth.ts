/** The line that asks whether requests cost the same on a long log, or with many waiting jobs, as on a short log. */
import { logName, startLog } from '../history.ts';
import { answerTo, withLoad } from '../http.ts';
import { type Bench, type Goal, type Line, warmedUp } from '../line.ts';
import { startProgram } from '../program.ts';
import { openResort, type Resort } from '../resort.ts';
import { type Contender, compare, type Result, type Work } from '../rounds.ts';
import { fillBookings } from '../stays.ts';
import { bookingsOf } from './writes.ts';

interface Setting {
  /** Of the log. */
  readonly events: number;
  /** That wait. */
  readonly jobs: number;
}

const nameOf = ({ events, jobs }: Setting): string => `${events} events${jobs > 0 ? `, ${jobs} jobs` : ''}`;

/** Nights are few in a short log: so rounds are short, and a command that is faster than this runs out of them. */
const MOST_A_SECOND = 800;
const MOST_SECONDS = 3;

/** Makes jobs wait that are due in a year, or none. */
const setJobs = async ({ wiring: { pool } }: Resort, count: number): Promise<void> => {
  await pool.query(`delete from ops.jobs where kind = 'bench'`);
  await pool.query(
    `insert into ops.jobs (kind, id, due_at, run_at, data, correlation_id)
     select 'bench', n::text, now() + interval '1 year', now() + interval '1 year', '{}', n::text
     from generate_series(1, $1::integer) as n`,
    [count],
  );
  await pool.query('analyze ops.jobs');
};

/** A command, a query of one row, and decisions whose states are read from the log: their CPU. */
const measure = async (resort: Resort, size: Bench['size'], name: string): Promise<Result[]> => {
  const plan = { ...warmedUp(size.plan), seconds: Math.min(size.plan.seconds, MOST_SECONDS) };
  const { system, stores } = resort;
  const headers = await fillBookings(resort);
  const mine = JSON.parse(await answerTo(system.api, { line: 'GET /api/v1/bookings/me', headers }));
  const seconds = plan.warmUpSeconds + plan.rounds * plan.seconds;
  const requests = await bookingsOf(resort, Math.ceil(seconds * MOST_A_SECOND));
  const { api: url, processes, counts } = system;
  const query = [{ line: `GET /api/v1/bookings/${mine.data[0].id}`, headers }];
  const served = [
    { name: `command, ${name}`, processes, counts, load: { url, requests, once: true, status: 201 } },
    { name: `query, ${name}`, processes, counts, load: { url, requests: query, status: 200 } },
  ];
  const { directory, postgres, node } = stores;
  const addresses = { directory, postgres: { url: postgres.url }, node: { connectionString: node.connectionString } };
  const program = await startProgram('coldState', addresses);
  try {
    const cold: Contender = {
      name: `cold state, ${name}`,
      processes: () => ({ program: program.pid, eventstore: node.pid, postgres: postgres.pid }),
      run: (seconds) => program.ask<Work>({ seconds }),
    };
    return await withLoad(served, (contenders) => compare([...contenders, cold], plan));
  } finally {
    await program.stop();
  }
};

const on = async ({ size }: Bench, setting: Setting): Promise<Result[]> => {
  const stores = await startLog(setting.events); // makes it at the first use
  await stores.stop();
  const resort = await openResort(logName(setting.events), { hotels: 0 });
  try {
    await setJobs(resort, setting.jobs);
    return await measure(resort, size, nameOf(setting));
  } finally {
    await setJobs(resort, 0);
    await resort.stop();
  }
};

const MOST_GROWTH = 1.2;

/** The CPU in each setting as a multiple of that in the first. */
const goalsOf = ([first, ...others]: readonly (Result | undefined)[]): Goal[] =>
  others.map((result) => ({
    what: `× the CPU of ${first?.name}: ${result?.name}`,
    value: (result?.cpu?.median ?? Number.NaN) / (first?.cpu?.median ?? Number.NaN),
    limit: MOST_GROWTH,
    is: 'at most',
  }));

export const growth: Line = {
  name: 'growth',
  work: 'CPU of a command, of a query and of cold state (a booking and its nights read from the log), on logs of growing length and with 100,000 waiting jobs',
  peer: 'itself on the shortest log',
  goal: '≤ 1.2 ×',
  run: async (bench) => {
    await bench.stopResort();
    const { growth: lengths, waitingJobs } = bench.size;
    const settings = lengths.map((events) => ({ events, jobs: 0 }));
    settings.splice(1, 0, { events: lengths[0] ?? 0, jobs: waitingJobs });
    const results: Result[][] = [];
    for (const setting of settings) results.push(await on(bench, setting));
    const goals = [0, 1, 2].flatMap((n) => goalsOf(results.map((each) => each[n])));
    return [{ name: 'growth', results: results.flat(), goals }];
  },
};
