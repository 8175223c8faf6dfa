/** A resort with many hotels, guests who are signed in, and the running system: what the lines about requests share. */
import { readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { openAccount } from '../../commands/accounts/accounts.ts';
import { openSession } from '../../commands/accounts/tokens.ts';
import { policyConsumers } from '../../commands/modules.ts';
import type { Position } from '../../domain/core/decider.ts';
import { concurrentEach } from '../../infra/concurrentEach.ts';
import { derivedId } from '../../infra/ids.ts';
import { readConfig } from '../../ops/config.ts';
import { seedHotels } from '../../ops/seed/demo.ts';
import { type Wiring, wire } from '../../ops/wiring.ts';
import { watchPositions } from '../../projections/engine/positions.ts';
import { lag } from '../../projections/engine/status.ts';
import { groups, models } from '../../projections/modules.ts';
import { BENCH_DATA, type BenchStores, log, query, type StoreAddresses, startStores } from './stores.ts';
import { type System, startSystem } from './system.ts';

export interface Guest {
  readonly id: string;
  readonly token: string;
}

export interface Resort {
  readonly stores: BenchStores;
  readonly system: System;
  /** The dependencies of a process of its own on the same stores. */
  readonly wiring: Wiring;
  readonly guests: readonly Guest[];
  /** Whose bookings are read: one who makes no others, which would be counted with each page. */
  readonly reader: Guest;
  stop(): Promise<void>;
}

/** Enough that each books once in ten seconds at 200 a second: nobody has hundreds of unpaid bookings or unread messages. */
const GUESTS = 2_000;
const SHOWN_WITHIN_MS = 1_800_000;
/** The nights of the hotels begin on the day on which they were made. */
const OLD_AFTER_DAYS = 20;
/** Written when the hotels are there. */
const FURNISHED = 'furnished';

/** The dependencies of a process of its own on the stores. */
export const wireTo = ({ directory, postgres, node }: StoreAddresses): Wiring =>
  wire(
    readConfig({
      DATA_DIR: directory,
      DATABASE_URL: postgres.url,
      ESDB_CONNECTION_STRING: node.connectionString,
      // Guests start groups with more strangers than people may.
      CHAT_STRANGERS_PER_DAY: '1000',
    }),
    'bench',
    log,
  );

/** The same for a name, so that what was made once is found again. */
export const seedContext = (name: string) => {
  const commandId = derivedId('bench', name);
  return {
    correlationId: commandId,
    causationId: commandId,
    commandId,
    actor: { kind: 'seed', id: 'seed', role: 'admin' },
    ip: null,
    at: new Date().toISOString(),
  } as const;
};

/** A guest with a session that has just begun. */
const signIn = async (wiring: Wiring, name: string, phone: string): Promise<Guest> => {
  const request = { role: 'tourist', phone, firstName: 'Anna', lastName: 'Orlova' } as const;
  const { accountId, account } = await openAccount(wiring, seedContext(name), request);
  const { accessToken } = await openSession(wiring, accountId, account, new Date().toISOString());
  return { id: accountId, token: accessToken };
};

const signInGuests = async (wiring: Wiring): Promise<Guest[]> => {
  const guests: Guest[] = [];
  await concurrentEach([...Array(GUESTS).keys()], 16, async (n) => {
    guests[n] = await signIn(wiring, `guest ${n}`, `+7999000${1_000 + n}`);
  });
  return guests;
};

const madeAt = (name: string, mark: string): number => {
  try {
    return Number(readFileSync(path.join(BENCH_DATA, name, mark), 'utf8'));
  } catch {
    return 0;
  }
};

/** Whether data was made as far as this mark. */
export const wasMade = (name: string, mark: string): boolean => madeAt(name, mark) > 0;

/** Deletes the data of this name when its nights are about to be over. */
export const forgetIfOld = async (name: string): Promise<void> => {
  const made = madeAt(name, FURNISHED);
  if (made > 0 && Date.now() - made > OLD_AFTER_DAYS * 86_400_000)
    await rm(path.join(BENCH_DATA, name), { recursive: true });
};

/** Waits until the read models show a position of the log. */
const untilShown = async ({ pool, databaseUrl }: Wiring, position: Position | null): Promise<void> => {
  const positions = await watchPositions(pool, databaseUrl, log, models);
  const shown = position === null || (await positions.reached(position, SHOWN_WITHIN_MS));
  await positions.stop();
  if (!shown) throw new Error('the read models did not catch up in time');
};

const dueJobs = async ({ pool }: Wiring): Promise<number> => {
  const { rows } = await pool.query<{ due: number }>(
    `select count(*)::integer as due from ops.jobs where run_at < now() + interval '5 seconds' and kind <> 'push_lane'`,
  );
  return rows[0]?.due ?? 0;
};

/**
 * Waits until read models and policies have handled the whole log and no job is due: what they do would be counted as
 * ours.
 */
export const untilQuiet = async (wiring: Wiring): Promise<void> => {
  const until = performance.now() + SHOWN_WITHIN_MS;
  for (;;) {
    const { consumers } = await lag(wiring, groups, policyConsumers(wiring.settings.policyParts));
    if (consumers.every(({ events }) => events === 0) && (await dueJobs(wiring)) === 0) return;
    if (performance.now() > until) throw new Error('the consumers of the log did not catch up in time');
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
};

interface Hotels {
  readonly hotels: number;
  /** That can be booked, from today. */
  readonly nights?: number;
}

/** Makes the hotels at the first use, and waits until the read models show them. */
const furnish = async (
  wiring: Wiring,
  name: string,
  { postgres }: BenchStores,
  { hotels, nights }: Hotels,
): Promise<void> => {
  if (wasMade(name, FURNISHED)) return;
  process.stderr.write(`making ${hotels} hotels, once\n`);
  const { position } = await seedHotels(wiring, hotels, new Date().toISOString(), { nights });
  await untilShown(wiring, position);
  // What the planner knows of tables that were just filled decides its plans; autovacuum would come to it in a minute.
  await query(postgres.url, 'vacuum analyze');
  await writeFile(path.join(BENCH_DATA, name, FURNISHED), String(Date.now()));
};

/** Starts stores, system and guests on the data of this name; its hotels are made at the first use. */
export const openResort = async (name: string, made: Hotels): Promise<Resort> => {
  const started: { stop(): Promise<unknown> }[] = [];
  const stop = async () => {
    for (const each of started.toReversed()) await each.stop();
  };
  try {
    const stores = await startStores(name);
    started.push(stores);
    const system = await startSystem(stores);
    started.push(system);
    const wiring = wireTo(stores);
    started.push({ stop: wiring.close });
    await furnish(wiring, name, stores, made);
    const guests = await signInGuests(wiring);
    const reader = await signIn(wiring, 'reader', '+79990009000');
    await untilQuiet(wiring);
    return { stores, system, wiring, guests, reader, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};

/** The resort of this many hotels. */
const start = async (hotels: number): Promise<Resort> => {
  const name = `resort-${hotels}`;
  await forgetIfOld(name);
  return openResort(name, { hotels });
};

/** Starts the resort when the first line needs it. */
export const lazyResort = (hotels: number) => {
  let resort: Promise<Resort> | undefined;
  return {
    get: (): Promise<Resort> => {
      resort ??= start(hotels);
      return resort;
    },
    stop: async (): Promise<void> => {
      const running = await resort?.catch(() => undefined);
      resort = undefined;
      await running?.stop();
    },
  };
};
