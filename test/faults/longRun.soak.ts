/**
 * Half an hour of bookings, payments and cancellations, while one fault follows the other. SOAK_MINUTES changes the time,
 * SEED repeats the order of faults. Nothing that was acknowledged may be missing, no money may be left where it does
 * not belong, and rebuilt read models must equal the live ones.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MINUTE_MS } from '../../domain/core/instants.ts';
import { runCli } from '../kit/cli.ts';
import { signIn } from '../kit/http.ts';
import { randomFrom, SEED } from '../kit/random.ts';
import { until } from '../kit/until.ts';
import { type Fault, faults, fullDisk, smallDisk } from './faults.ts';
import { allMine, type Client, endure, insist, type Load, type Mine } from './load.ts';
import { startWatch, type Watch } from './watch.ts';
import { startWiredWorld, type WiredWorld } from './wiredWorld.ts';

const MINUTES = Number(process.env.SOAK_MINUTES ?? 30);
const DISK_MIB = 1_536;
/** How long everything may take to be settled after the last fault. */
const SETTLE_MS = 180_000;
const TOKEN_MS = 20 * MINUTE_MS;

const say = (line: string) => process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);

const disk = smallDisk(DISK_MIB);
let world: WiredWorld;
let client: Client & { readonly world: WiredWorld };
let admin: Client;
let watch: Watch;

/** A client whose token is renewed before it ends. */
const keepSignedIn = async (
  who: 'tourist' | 'tourist2' | 'admin',
): Promise<Client & { readonly world: WiredWorld }> => {
  const { call } = world;
  let token = await signIn(call, world.demo, who);
  const renewal = setInterval(async () => {
    token = await signIn(call, world.demo, who).catch(() => token);
  }, TOKEN_MS);
  renewal.unref();
  return { world, call, token: () => token };
};

beforeAll(async () => {
  world = await startWiredWorld(disk?.path);
  client = await keepSignedIn('tourist');
  admin = await keepSignedIn('admin');
  watch = startWatch(world.api, (await keepSignedIn('tourist2')).token);
});
afterAll(async () => {
  for (const line of world?.output.slice(-200) ?? []) say(line);
  await watch?.stop();
  await world?.stop();
  disk?.remove();
});

/** Every page of a list. */
const all = async <T>(who: Client, request: string): Promise<T[]> => {
  const found: T[] = [];
  for (let page = 1; ; page += 1) {
    const { body } = await insist(who, `${request}${request.includes('?') ? '&' : '?'}per_page=100&page=${page}`);
    found.push(...body.data);
    if (found.length >= body.total || body.data.length === 0) return found;
  }
};

interface Paid {
  readonly status: string;
  readonly items: readonly { readonly id: string; readonly amount_minor: number }[];
  readonly refunds: readonly { readonly item_id: string; readonly amount_minor: number; readonly status: string }[];
}

/** What of a booking's price the platform still has, over all its payments. */
const keptOf = (payments: readonly Paid[]): Map<string, number> => {
  const kept = new Map<string, number>();
  for (const { status, items, refunds } of payments) {
    const add = (id: string, minor: number) => kept.set(id, (kept.get(id) ?? 0) + minor);
    if (status === 'succeeded') for (const { id, amount_minor } of items) add(id, amount_minor);
    for (const { item_id, amount_minor, status: of } of refunds) if (of === 'succeeded') add(item_id, -amount_minor);
  }
  return kept;
};

interface Bill extends Mine {
  readonly total_minor: number;
  readonly ending: { readonly penalty_minor: number } | null;
}

/** The bookings for which the platform keeps more or less than they cost. */
const misfits = async () => {
  const kept = keptOf(await all<Paid>(client, 'GET /api/v1/payments/me'));
  return (await all<Bill>(client, 'GET /api/v1/bookings/me'))
    .map(({ id, total_minor, ending }) => ({
      id,
      kept: kept.get(id) ?? 0,
      owed: ending ? ending.penalty_minor : total_minor,
    }))
    .filter((booking) => booking.kept !== booking.owed);
};

const acknowledged = { booked: new Set<string>(), paid: new Set<string>(), cancelled: new Set<string>() };
const remember = (load: Load) => {
  for (const key of ['booked', 'paid', 'cancelled'] as const) for (const id of load[key]) acknowledged[key].add(id);
};

const endureOne = async (fault: Fault) => {
  say(fault.name);
  remember(await endure(client, fault, { cancel: 0.6 }));
  const { health, help } = watch.slowest;
  say(
    `went on; ${acknowledged.booked.size} booked, ${acknowledged.cancelled.size} cancelled so far; slowest: health ${health} ms, help ${help} ms`,
  );
};

describe(`${MINUTES} minutes of faults (SEED=${SEED})`, () => {
  it('goes on after each of them', async () => {
    if (!disk) say('SKIPPED: the full disk, because this user may not mount a small one. Run as root to include it.');
    const possible = disk ? [...faults, fullDisk(15_000)] : faults;
    const next = randomFrom();
    const end = performance.now() + MINUTES * MINUTE_MS;
    let left: Fault[] = [];
    do {
      // Each fault once before any comes again.
      if (left.length === 0) left = [...possible];
      const [fault] = left.splice(Math.floor(next() * left.length), 1);
      if (fault) await endureOne(fault);
    } while (performance.now() < end);
    expect(acknowledged.booked.size).toBeGreaterThan(MINUTES);
  });

  it('has answered calls for help and questions of health all the time', async () => {
    await watch.stop();
    expect(watch.wrong).toEqual([]);
  });

  it('has lost nothing that was acknowledged, and invented nothing', async () => {
    const settled = await until(async () => {
      const mine = new Map((await allMine(client)).map(({ id, status }) => [id, status]));
      const open = [...mine.values()].filter((status) => status === 'pending_payment').length;
      return open === 0 ? mine : undefined;
    }, SETTLE_MS);
    expect([...settled.keys()].toSorted()).toEqual([...acknowledged.booked].toSorted());
    for (const id of acknowledged.paid) expect(settled.get(id), id).toBe('paid');
    for (const id of acknowledged.cancelled) expect(settled.get(id), id).toBe('cancelled');
  });

  it('keeps only the money that bookings cost, and no posting is without its opposite', async () => {
    await expect.poll(misfits, { timeout: SETTLE_MS, interval: 1_000 }).toEqual([]);
    const { body } = await insist(admin, 'GET /api/v1/admin/ledger/balances');
    for (const sum of body.sums) expect(sum).toMatchObject({ sum_minor: 0 });
    const review = await insist(admin, 'GET /api/v1/admin/payments/review');
    expect(review.body).toMatchObject({ refunds: [], notifications: [] });
  });

  it('has parked nothing, and its read models equal rebuilt ones', async () => {
    expect(await runCli(world.dataDir, 'jobs', 'parked', '--json')).toEqual([]);
    for (const model of await runCli(world.dataDir, 'projections', 'verify', '--json'))
      expect(model, JSON.stringify(model)).toMatchObject({ differences: 0 });
  });
});
