/** Counts what a process asks of its stores, so that a spec can hold the number. */
import pg from 'pg';
import type { EventStore, SubscriptionHandlers } from '../../eventstore/client/index.ts';
import type { Pool } from '../../infra/postgres.ts';

export interface Counted {
  /** Appends and reads: each is one gRPC call. */
  calls: string[];
  /** Types of the events that subscriptions delivered. */
  delivered: string[];
  /** How many subscriptions were opened. */
  subscriptions: number;
  /**
   * Whether the events that have come, by their types, are to be delivered together now. By default each is at once. On a
   * busy machine, events that are recorded together come one by one, and cost more.
   */
  isWhole: (types: readonly string[]) => boolean;
}

/** The store, and what is asked of it from now on. */
export const countingStore = (store: EventStore): { readonly store: EventStore; readonly counted: Counted } => {
  const counted: Counted = { calls: [], delivered: [], subscriptions: 0, isWhole: () => true };
  const listening = (on: SubscriptionHandlers): SubscriptionHandlers => {
    let waiting: { readonly type?: string; readonly deliver: () => void }[] = [];
    const add = (deliver: () => void, type?: string): void => {
      waiting.push({ deliver, ...(type !== undefined && { type }) });
      if (!counted.isWhole(waiting.flatMap((one) => one.type ?? []))) return;
      const whole = waiting;
      waiting = [];
      for (const one of whole) one.deliver();
    };
    return {
      event: (event) =>
        add(() => {
          counted.delivered.push(event.type);
          on.event(event);
        }, event.type),
      checkpoint: (position) => add(() => on.checkpoint(position)),
      caughtUp: () => add(() => on.caughtUp()),
      // What waits is delivered again from where the subscriber continues.
      dropped: (reason, tooSlow) => {
        waiting = [];
        on.dropped(reason, tooSlow);
      },
    };
  };
  const counting: EventStore = {
    ...store,
    append: (stream, events, expected) => {
      counted.calls.push(`append ${stream.split('-')[0]}`);
      return store.append(stream, events, expected);
    },
    read: (stream, options) => {
      counted.calls.push(`read ${stream.split('-')[0]}`);
      return store.read(stream, options);
    },
    readAll: (options) => {
      counted.calls.push('read $all');
      return store.readAll(options);
    },
    subscribe: (after, on, types) => {
      counted.subscriptions += 1;
      return store.subscribe(after, listening(on), types);
    },
  };
  return { store: counting, counted };
};

type Statement = string | { readonly text?: string };

/** What the pools with this application name send while `work` runs. */
const sentBy = async (applicationName: string, work: () => Promise<void>): Promise<string[]> => {
  const statements: string[] = [];
  const original = pg.Client.prototype.query;
  const counting = function (this: pg.Client, ...args: unknown[]): unknown {
    const { application_name: name } = (this as { connectionParameters?: { application_name?: string } })
      .connectionParameters ?? { application_name: undefined };
    const [statement] = args as [Statement];
    const text = typeof statement === 'string' ? statement : statement.text;
    if (name === applicationName) statements.push((text ?? '').trim());
    return Reflect.apply(original, this, args);
  };
  pg.Client.prototype.query = counting as typeof original;
  try {
    await work();
  } finally {
    pg.Client.prototype.query = original;
  }
  return statements;
};

/** A new connection sets up its session. */
const isSetUp = (text: string): boolean => text.startsWith('select set_config(name');

/** The statements that the pools with this application name send while `work` runs. */
export const statementsOf = async (applicationName: string, work: () => Promise<void>): Promise<string[]> =>
  (await sentBy(applicationName, work)).filter((text) => !isSetUp(text)).map((text) => text.replaceAll(/\s+/g, ' '));

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly Plan[];
}
const readAsAWhole = (plan: Plan): string[] => [
  ...(plan['Node Type'] === 'Seq Scan' ? [plan['Relation Name'] ?? ''] : []),
  ...(plan.Plans ?? []).flatMap(readAsAWhole),
];

/**
 * The tables that PostgreSQL reads as a whole for the statements of `work`, by the plans that it keeps for statements that
 * are prepared, with the statistics there are now.
 */
export const wholeTablesRead = async (
  pool: Pool,
  applicationName: string,
  work: () => Promise<void>,
): Promise<string[]> => {
  const statements = (await sentBy(applicationName, work)).filter(
    (text) => /^(select|with|insert|update|delete)/.test(text) && !isSetUp(text),
  );
  const tables = new Set<string>();
  for (const text of new Set(statements)) {
    const { rows } = await pool.query(`explain (generic_plan, format json) ${text}`);
    for (const table of readAsAWhole(rows[0]['QUERY PLAN'][0].Plan)) tables.add(table);
  }
  return [...tables].toSorted();
};

export interface RecordedBatch {
  readonly statements: readonly string[];
  /** How many of them were sent when all before them were answered. */
  readonly roundTrips: number;
}

/** Each transaction that moved checkpoints of read models, on connections that are opened from now on. */
export const recordBatches = (pool: Pool): RecordedBatch[] => {
  const batches: RecordedBatch[] = [];
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...statement: unknown[]) => unknown;
    let batch: RecordedBatch = { statements: [], roundTrips: 0 };
    let unanswered = 0;
    const answered = () => {
      unanswered -= 1;
    };
    const recording = (...statement: unknown[]) => {
      const text = String(statement[0]);
      if (text.startsWith('begin')) batch = { statements: [], roundTrips: 0 };
      batch = {
        statements: [...batch.statements, text],
        roundTrips: batch.roundTrips + (unanswered === 0 ? 1 : 0),
      };
      if (text === 'commit' && batch.statements.some((one) => one.includes('ops.checkpoints as c')))
        batches.push(batch);
      const answer = query(...statement);
      if (answer instanceof Promise) {
        unanswered += 1;
        answer.then(answered, answered);
      } // else the pool has asked, outside of transactions
      return answer;
    };
    Object.assign(client, { query: recording });
  });
  return batches;
};
