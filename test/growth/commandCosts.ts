/** What commands cost: the process that answers them, and the worker that follows. Both run in this process. */
import { policyConsumers } from '../../commands/modules.ts';
import { consumerLags } from '../../eventstore/lag.ts';
import type { Logger } from '../../infra/log.ts';
import type { Config } from '../../ops/config.ts';
import { expandRoles, startRole } from '../../ops/roles/index.ts';
import type { Running } from '../../ops/roles/role.ts';
import { shareEventStore, wire } from '../../ops/wiring.ts';
import { groups } from '../../projections/modules.ts';
import { type CallApi, caller } from '../kit/http.ts';
import { until } from '../kit/until.ts';
import { createMarks } from '../privacy/marks.ts';
import { createWriter, type Writer } from '../privacy/writer.ts';
import type { Cost, Plans } from './plans.ts';

/** Processes by the names of their connections. Leases and other things that happen by the clock have connections of their own. */
const API = /^(api|emergencies)/;
const WORKER = /^(projector|policies|jobs)/;

export interface CommandCost {
  /** The request, without ids. */
  readonly what: string;
  readonly api: Cost;
  /** Policies, projectors and jobs, until they have nothing to do. */
  readonly worker: Cost;
  /** That were read from the event store. */
  readonly events: number;
}

const ID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Counts the events that this process reads from now on. */
export const countEvents = (eventStore: string, log: Logger) => {
  const { store, release } = shareEventStore(eventStore, { log });
  let events = 0;
  const { read } = store;
  Object.assign(store, {
    read: async (...asked: Parameters<typeof read>) => {
      const page = await read(...asked);
      events += page.length;
      return page;
    },
  });
  const counted = () => {
    const before = events;
    events = 0;
    return before;
  };
  return { counted, release };
};

/** Starts the worker. @param suspendOther stops that of the system, whose statements nobody here can hear */
export const startWorker = async (config: Config, log: Logger, suspendOther: () => void) => {
  const started: Running[] = [];
  const wiring = wire(config, 'spec', log);
  const consumers = [...groups.map(({ name }) => name), ...policyConsumers(config.POLICY_PARTS)];
  /** Until read models and policies have handled the whole log, and no job is due or under way. */
  const quiet = () =>
    until(async () => {
      const lags = await consumerLags(wiring, consumers, 1);
      if (lags.some(({ events }) => events > 0)) return false;
      const { rows } = await wiring.pool.query(
        `select from ops.jobs where run_at < now() + interval '1 second' or claimed_until is not null limit 1`,
      );
      return rows.length === 0;
    });
  await quiet();
  suspendOther();
  for (const role of expandRoles(['worker'])) started.push(await startRole(role, config, log));
  return {
    quiet,
    stop: async () => {
      for (const each of started.toReversed()) await each.stop();
      await wiring.close();
    },
  };
};

interface Measured {
  readonly plans: Plans;
  readonly counted: () => number;
  readonly quiet: () => Promise<unknown>;
}

/** A writer whose requests are measured, each until what follows from it has been done. */
export const measuringWriter = (address: string, known: Writer, { plans, counted, quiet }: Measured) => {
  const call = caller(address);
  let costs: CommandCost[] = [];
  const measuring: CallApi = async (request, sent) => {
    await quiet();
    plans.cost();
    counted();
    const reply = await call(request, sent);
    await quiet();
    const [api, worker] = plans.costs(API, WORKER) as [Cost, Cost];
    costs.push({ what: request.replace(ID, ':id'), api, worker, events: counted() });
    return reply;
  };
  const { write } = createWriter(measuring, createMarks());
  const writer: Writer = { ...known, call, write };
  return {
    writer,
    /** Of the commands since the last call, in their order. */
    costs: (): CommandCost[] => {
      const before = costs;
      costs = [];
      return before;
    },
  };
};
