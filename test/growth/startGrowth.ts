/** A running system with everything that the proof of erasure writes, whose statements are heard. */
import { createLogger } from '../../infra/log.ts';
import { createPool } from '../../infra/postgres.ts';
import { readConfig } from '../../ops/config.ts';
import { freePort } from '../../ops/ports.ts';
import { start } from '../../ops/roles/api.ts';
import { caller } from '../kit/http.ts';
import { startWorld } from '../kit/world.ts';
import { fillWorld } from '../privacy/filledWorld.ts';
import { createMarks } from '../privacy/marks.ts';
import { createCast } from '../privacy/people.ts';
import { createWriter } from '../privacy/writer.ts';
import { countEvents, startWorker } from './commandCosts.ts';
import { type Cost, explainStatements, hearPlans } from './plans.ts';

/** By hand it takes the number of rows that are copied, first and then: `GROWTH=300,3000`. */
export const IS_BY_HAND = process.env.GROWTH !== undefined;
export const [SMALL, LARGE] = (process.env.GROWTH ?? '60,300').split(',').map(Number) as [number, number];

/** Hundreds of requests, one after the other. */
export const LONG = { timeout: 1_200_000 };

/** By more than a third, and by more than what happens beside it. */
export const isMore = (small: Cost, large: Cost): boolean =>
  large.blocks > small.blocks * 1.34 + 60 ||
  large.rows > small.rows * 1.34 + 100 ||
  large.statements > small.statements * 1.34 + 5;

export const described = ({ blocks, rows, statements, reads }: Cost): string => {
  const [most = ''] = [...reads].map(([table, read]) => `${read} rows of ${table}`);
  return `${blocks} blocks, ${Math.round(rows)} rows, ${statements} statements, ${most}`;
};

/** Call it before anything connects to the database. */
export const startGrowth = async () => {
  const plans = hearPlans();
  const log = createLogger({ level: 'silent' });
  const smtp = { SANDBOX_SMTP_PORT: String(await freePort('127.0.0.1')) };
  const world = await startWorld(smtp);
  const { demo, dataDir } = world;
  const runtime = await world.runtime();
  const pool = createPool(runtime.databaseUrl, {
    ...{ max: 4, applicationName: 'spec', log, statementTimeoutMs: 600_000, answerTimeoutMs: 600_000 },
  });
  const writer = createWriter(caller(runtime.api), createMarks());
  const cast = await createCast(writer, { demo, dataDir, runtime }, pool);
  await fillWorld(writer, cast);
  const { rows } = await pool.query<{ name: string }>('select current_database() as name');
  await explainStatements(pool, rows[0]?.name as string);
  const config = readConfig({
    ...smtp,
    ...{ NODE_ENV: 'test', ROLE: 'api', PORT: '0', LOG_LEVEL: 'silent', RATE_LIMITS: '0', DATA_DIR: dataDir },
    DATABASE_URL: runtime.databaseUrl,
    ESDB_CONNECTION_STRING: runtime.eventStore,
    SANDBOX_URL: runtime.sandbox,
  });
  const events = countEvents(runtime.eventStore, log);
  const api = await start(config, log);
  const stops: (() => unknown)[] = [
    () => world.stop(),
    () => pool.end(),
    () => events.release(),
    () => api.stop(),
    () => plans.end(),
  ];
  return {
    ...{ world, pool, writer, cast, plans, events, address: api.address as string },
    /** Has a worker of this process do the work of the system's, whose statements nobody here can hear. */
    followHere: async () => {
      const { worker: other = 0 } = runtime.pids;
      const worker = await startWorker(config, log, () => {
        process.kill(other, 'SIGSTOP');
        stops.push(() => process.kill(other, 'SIGCONT'));
      });
      stops.push(worker.stop);
      return worker;
    },
    stop: async () => {
      for (const each of stops.toReversed()) await each();
    },
  };
};
export type Growing = Awaited<ReturnType<typeof startGrowth>>;
