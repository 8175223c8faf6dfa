/**
 * Guests who book at a fixed rate, whatever the answers take, and wait for the change on their own channel. Between the
 * rounds they go on.
 */
import { Agent, request } from 'node:http';
import { WebSocket } from 'ws';
import { serveProgram } from '../program.ts';
import type { Work } from '../rounds.ts';

export interface LiveOptions {
  readonly api: string;
  readonly realtime: string;
  readonly guests: readonly { readonly id: string; readonly token: string }[];
  /** Bodies of bookings, each sent once. */
  readonly bodies: readonly string[];
  /** Bookings a second. */
  readonly rate: number;
}

const LATE_MS = 10_000;
/** A hub takes 1,000 sockets from one address. Linux has more than one for itself. */
const FROM_ONE_ADDRESS = 500;

serveProgram(async ({ api, realtime, guests, bodies, rate }: LiveOptions) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  /** Changes that came before the answer to their request, and the requests that wait for theirs. */
  const seenAt = new Map<string, number>();
  const waiting = new Map<string, (at: number) => void>();

  const listen = async ({ id, token }: (typeof guests)[number], n: number): Promise<void> => {
    const localAddress = `127.0.0.${1 + Math.floor(n / FROM_ONE_ADDRESS)}`;
    const socket = new WebSocket(`${realtime}/ws`, { localAddress, headers: { authorization: `Bearer ${token}` } });
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    const subscribed = new Promise<void>((resolve) => {
      socket.on('message', (bytes) => {
        const at = performance.now();
        const frame = JSON.parse(String(bytes)) as { type: string; data?: { id: string } };
        if (frame.type === 'subscribed') resolve();
        if (frame.type !== 'booking.created' || !frame.data) return;
        const tell = waiting.get(frame.data.id);
        if (tell) tell(at);
        else seenAt.set(frame.data.id, at);
      });
    });
    socket.send(JSON.stringify({ type: 'subscribe', channel: `realtime:user_${id}` }));
    await subscribed;
  };
  await Promise.all(guests.map(listen));

  const book = (token: string, body: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const sent = request(`${api}/api/v1/bookings/create`, { method: 'POST', agent, headers }, async (response) => {
        let text = '';
        for await (const chunk of response) text += chunk;
        if (response.statusCode === 201) resolve((JSON.parse(text) as { id: string }).id);
        else reject(new Error(`${response.statusCode} ${text}`));
      });
      sent.on('error', reject).end(body);
    });

  const seen = (id: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const at = seenAt.get(id);
      if (seenAt.delete(id) && at !== undefined) return resolve(at);
      const late = setTimeout(() => reject(new Error(`the change of ${id} did not arrive in ${LATE_MS} ms`)), LATE_MS);
      waiting.set(id, (arrived) => {
        clearTimeout(late);
        waiting.delete(id);
        resolve(arrived);
      });
    });

  let fail: (error: unknown) => void = () => undefined;
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  failed.catch(() => undefined); // told to the round that is measured, or the next one

  /** Milliseconds of the bookings that a round measures; the others only keep the rate. */
  let times: Promise<number>[] | undefined;
  const bookAtRate = async (): Promise<never> => {
    const begun = performance.now();
    for (let n = 0; ; n += 1) {
      const body = bodies[n];
      if (body === undefined) throw new Error(`all ${bodies.length} prepared bookings were sent`);
      const from = performance.now();
      const took = book(guests[n % guests.length]?.token ?? '', body)
        .then(seen)
        .then((at) => at - from);
      took.catch(fail);
      times?.push(took);
      const wait = begun + ((n + 1) * 1_000) / rate - performance.now();
      if (wait > 1) await new Promise((resolve) => setTimeout(resolve, wait));
    }
  };
  let isBooking = false;

  return async ({ seconds }: { seconds: number }): Promise<Work> => {
    // From the first round to the end: a system that stood still begins anew with cold caches.
    if (!isBooking) bookAtRate().catch(fail);
    isBooking = true;
    const begun = performance.now();
    times = [];
    const measured = times;
    await Promise.race([failed, new Promise((resolve) => setTimeout(resolve, seconds * 1_000))]);
    times = undefined;
    const took = (performance.now() - begun) / 1_000;
    const sorted = (await Promise.race([failed, Promise.all(measured)])).toSorted((a, b) => a - b);
    const percentile = (part: number) => sorted[Math.floor(sorted.length * part)] ?? Number.NaN;
    return { operations: sorted.length, seconds: took, p50: percentile(0.5), p99: percentile(0.99) };
  };
});
