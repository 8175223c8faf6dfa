/** Guests who book at a fixed rate, whatever the answers take, and wait for the change on their own channel. */
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
  /** When the change of a booking arrived. A change may come before the answer to its request. */
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
        waiting.get(frame.data.id)?.(at);
        seenAt.set(frame.data.id, at);
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
      if (at !== undefined) return resolve(at);
      waiting.set(id, resolve);
      setTimeout(() => reject(new Error(`the change of ${id} did not arrive in ${LATE_MS} ms`)), LATE_MS).unref();
    });

  let next = 0;
  return async ({ seconds }: { seconds: number }): Promise<Work> => {
    const begun = performance.now();
    const times: number[] = [];
    const running: Promise<void>[] = [];
    const one = async (token: string, body: string) => {
      const from = performance.now();
      times.push((await seen(await book(token, body))) - from);
    };
    for (let n = 0; n < rate * seconds; n += 1) {
      const body = bodies[next];
      if (body === undefined) throw new Error(`all ${bodies.length} prepared bookings were sent`);
      running.push(one(guests[next % guests.length]?.token ?? '', body));
      next += 1;
      const wait = begun + (n * 1_000) / rate - performance.now();
      if (wait > 1) await new Promise((resolve) => setTimeout(resolve, wait));
    }
    await Promise.all(running);
    const sorted = times.toSorted((a, b) => a - b);
    const percentile = (part: number) => sorted[Math.floor(sorted.length * part)] ?? Number.NaN;
    const took = (performance.now() - begun) / 1_000;
    return { operations: times.length, seconds: took, p50: percentile(0.5), p99: percentile(0.99) };
  };
});
