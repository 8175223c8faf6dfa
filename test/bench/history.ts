/**
 * A long log of mixed events. Bookings are made through the running system once: paid, cancelled, refunded. Their events
 * are then appended again and again with other ids, in the same order, until the log is as long as wanted.
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { policyConsumers } from '../../commands/modules.ts';
import type { Position, Recorded } from '../../domain/core/decider.ts';
import { saveCheckpoint } from '../../eventstore/checkpoints.ts';
import type { StoredEvent } from '../../eventstore/client/index.ts';
import { copyEvents } from '../../eventstore/copy.ts';
import { eventsOf, readPages } from '../../eventstore/pages.ts';
import { derivedId } from '../../infra/ids.ts';
import type { Wiring } from '../../ops/wiring.ts';
import { answerTo, bearer } from './http.ts';
import { forgetIfOld, openResort, type Resort, untilQuiet, wasMade, wireTo } from './resort.ts';
import { stays } from './stays.ts';
import { type BenchStores, startStores } from './stores.ts';

/** Enough that the nights of their rooms last for all bookings of the line `growth`. */
const HOTELS = { hotels: 300, nights: 120 };
const JOURNEYS = 12;
const PAID_WITHIN_MS = 60_000;

/** Streams that the copies share: people and what they rent out stay the same. */
const SHARED = new Set(['account', 'identity', 'hotel', 'room', 'tour', 'restaurant', 'instructor', 'transfer']);
const UUID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g;

const pay = async ({ system }: Resort, headers: Record<string, string>, id: string): Promise<void> => {
  const body = JSON.stringify({ booking_id: id, method: 'card' });
  const { redirect_url: page } = JSON.parse(
    await answerTo(system.api, { line: 'POST /api/v1/payments/process', headers, body }),
  );
  await fetch(page, { method: 'POST', body: new URLSearchParams({ action: 'approve' }), redirect: 'manual' });
  const until = Date.now() + PAID_WITHIN_MS;
  for (;;) {
    const { status } = JSON.parse(await answerTo(system.api, { line: `GET /api/v1/bookings/${id}`, headers }));
    if (status === 'paid') return;
    if (Date.now() > until) throw new Error(`the booking ${id} was not paid in time`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};

/** One booking: every third is paid, every third is cancelled before that, every third is cancelled and refunded after it. */
const journey = async (resort: Resort, n: number, stay: object): Promise<void> => {
  const headers = bearer(resort.guests[n]?.token ?? '');
  const body = JSON.stringify({ type: 'hotel', ...stay, guests: 1, notes: 'A quiet room, please.' });
  const answer = await answerTo(resort.system.api, { line: 'POST /api/v1/bookings/create', headers, body });
  const { id } = JSON.parse(answer);
  if (n % 3 > 0) await pay(resort, headers, id);
  const cancel = { line: `POST /api/v1/bookings/${id}/cancel`, headers, body: '{}' };
  if (n % 3 !== 1) await answerTo(resort.system.api, cancel);
};

/** The events of some bookings, of all streams that they touch. */
const record = async (resort: Resort): Promise<Recorded[]> => {
  const { wiring } = resort;
  const before: Position | null = await wiring.store.head();
  for (const [n, stay] of (await stays(wiring, JOURNEYS)).entries()) await journey(resort, n, stay);
  await untilQuiet(wiring);
  const recorded: Recorded[] = [];
  for await (const { events } of readPages(wiring.store, before)) recorded.push(...(await wiring.codec.decode(events)));
  return recorded.filter(({ category }) => !SHARED.has(category));
};

/** The recorded events once more, with other ids for all their streams. */
async function* copyOf({ codec }: Wiring, recorded: readonly Recorded[], own: ReadonlySet<string>, n: number) {
  const ids = new Map([...own].map((id) => [id, derivedId('copy', n, id)]));
  const renamed = (text: string): string => text.replaceAll(UUID, (id) => ids.get(id) ?? id);
  const revisions = new Map<string, bigint>();
  for (const { id, type, stream: original, data: before, meta, position } of recorded) {
    const stream = renamed(original);
    const last = revisions.get(stream) ?? null;
    const revision = (last ?? -1n) + 1n;
    revisions.set(stream, revision);
    const data = JSON.parse(renamed(JSON.stringify(before)));
    const copy = { ...meta, commandId: derivedId('copy', n, id) };
    const [encoded] = await codec.encode(stream, [{ type, data }], copy, last);
    if (encoded) yield { ...encoded, stream, revision, position };
  }
}

/** The log as it is, and then copies of the recorded events until it is as long as wanted. */
async function* lengthened(wiring: Wiring, recorded: readonly Recorded[], count: number): AsyncGenerator<StoredEvent> {
  let made = 0;
  for await (const event of eventsOf(wiring.store)) {
    made += 1;
    yield event;
  }
  const own = new Set(recorded.map(({ streamId }) => streamId));
  for (let n = 0; made < count; n += 1) {
    yield* copyOf(wiring, recorded, own, n);
    made += recorded.length;
  }
}

/** What the policies would do about the copies was copied with them. */
const skipPolicies = async ({ store, pool, settings }: Wiring): Promise<void> => {
  const head = await store.head();
  for (const name of head ? policyConsumers(settings.policyParts) : [])
    await saveCheckpoint(pool, name, head as Position);
};

/** Makes the log. Nothing follows it meanwhile. */
const make = async (name: string, count: number): Promise<void> => {
  process.stderr.write(`making a log of ${count} events, once\n`);
  const resort = await openResort(name, HOTELS);
  let recorded: Recorded[];
  try {
    recorded = await record(resort);
  } finally {
    await resort.stop();
  }
  const stores = await startStores(name);
  const wiring = wireTo(stores);
  try {
    await copyEvents(lengthened(wiring, recorded, count), wiring.store);
    await skipPolicies(wiring);
    await writeFile(path.join(stores.directory, MARK), String(Date.now()));
  } finally {
    await wiring.close();
    await stores.stop();
  }
};

/** Written when the log is as long as wanted. */
const MARK = 'made';

/** The name of the data with a log of this many events. */
export const logName = (count: number): string => `log-${count}`;

/** Starts the stores with a log of at least so many events; it is made at the first use. */
export const startLog = async (count: number): Promise<BenchStores> => {
  const name = logName(count);
  await forgetIfOld(name);
  if (!wasMade(name, MARK)) await make(name, count);
  return startStores(name);
};
