/** One person with a phone and a laptop: both show the same, also after the phone was offline. The phone in Node and in a real browser. */
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { type Booking, channels, createClient } from '../../client/index.ts';
import { type Browser, findChromium, startBrowser } from '../kit/browser.ts';
import { type Forwarder, startForwarder } from '../kit/forwarder.ts';
import { caller } from '../kit/http.ts';
import { freeRoom } from '../kit/stays.ts';
import { until } from '../kit/until.ts';
import { sharedWorld } from '../kit/world.ts';

const DIST = path.resolve(import.meta.dirname, '../../dist');
const { demo, runtime } = sharedWorld();
const { id, email } = demo.accounts.tourist2;
const credentials = { identifier: email, password: demo.password };

/** A device: its own session, and the bookings that it shows. */
interface Device {
  signIn(): Promise<void>;
  book(): Promise<string>;
  cancel(bookingId: string): Promise<string>;
  /** Booking → status, as the device shows it now. */
  shown(): Promise<Record<string, string>>;
  /** The offsets of the changes that have come, and how often the list was read. */
  received(): Promise<{ offsets: number[]; reads: number }>;
  /** The device notices that it has a network again. Without this, it finds out by trying. */
  online(): Promise<void>;
  close(): Promise<void>;
}

const room = async () => {
  const { roomId, checkIn, checkOut } = await freeRoom(caller(runtime.api), demo);
  return { type: 'hotel' as const, item_id: roomId, check_in: checkIn, check_out: checkOut, guests: 1 };
};

/** A device that is a client in this process. */
const nodeDevice = (baseUrl: string): Device => {
  const offsets: number[] = [];
  let bookings: readonly Booking[] = [];
  let reads = 0;
  const client = createClient({
    baseUrl,
    WebSocket,
    onFrame: (frame) => {
      if ('offset' in frame && 'data' in frame) offsets.push(frame.offset);
    },
  });
  return {
    signIn: async () => {
      await client.signIn(credentials);
      client.live.follow(
        channels.user(id),
        (options) => {
          reads += 1;
          return client.listOwnBookings({ per_page: 100 }, options);
        },
        {
          entity: 'booking',
          onRows: (rows) => {
            bookings = rows;
          },
          onError: () => undefined,
        },
      );
    },
    book: async () => (await client.createBooking(await room())).id,
    cancel: async (bookingId) => (await client.cancelBooking({ id: bookingId })).status,
    shown: async () => Object.fromEntries(bookings.map((each) => [each.id, each.status])),
    received: async () => ({ offsets, reads }),
    online: async () => undefined,
    close: async () => client.close(),
  };
};

const IMPORTS = `import { channels, createClient } from '/client/index.js'; Object.assign(window, { channels, createClient });`;
const browserDevice = (browser: Browser, baseUrl: string): Device => ({
  signIn: () =>
    browser.run(`
      window.offsets = []; window.rows = []; window.reads = 0;
      window.client = createClient({
        baseUrl: '${baseUrl}',
        onFrame: (frame) => 'offset' in frame && 'data' in frame && offsets.push(frame.offset),
      });
      await client.signIn(${JSON.stringify(credentials)});
      client.live.follow(channels.user('${id}'), (options) => { reads += 1; return client.listOwnBookings({ per_page: 100 }, options); }, {
        entity: 'booking',
        onRows: (next) => { rows = next; },
        onError: () => undefined,
      });`),
  book: async () => browser.run(`return (await client.createBooking(${JSON.stringify(await room())})).id;`),
  cancel: (bookingId) => browser.run(`return (await client.cancelBooking({ id: '${bookingId}' })).status;`),
  shown: () => browser.run(`return Object.fromEntries(rows.map(({ id, status }) => [id, status]));`),
  received: () => browser.run(`return { offsets, reads };`),
  online: () => browser.run(`dispatchEvent(new Event('online'));`),
  close: () => browser.stop(),
});

const chromium = findChromium();
const inBrowser = async (baseUrl: string) =>
  browserDevice(await startBrowser({ chromium: chromium ?? '', folder: DIST, imports: IMPORTS }), baseUrl);
const kinds = [
  { title: 'a phone in Node and a laptop', isMissing: false, open: async (baseUrl: string) => nodeDevice(baseUrl) },
  {
    title: `a phone in a browser and a laptop${chromium ? '' : ' (skipped: Chromium is not installed)'}`,
    isMissing: !chromium,
    open: inBrowser,
  },
];

for (const { title, isMissing, open } of kinds)
  describe.skipIf(isMissing)(title, () => {
    /** Between the phone and the platform. */
    let network: Forwarder;
    let phone: Device;
    let laptop: Device;
    const both = () => [phone, laptop];
    /** Waits until a device shows the booking in this state. */
    const shows = (device: Device, bookingId: string, status: string) =>
      until(async () => (await device.shown())[bookingId] === status);

    beforeAll(async () => {
      network = await startForwarder(() => [Number(new URL(runtime.api).port)]);
      phone = await open(`http://127.0.0.1:${network.port}`);
      laptop = nodeDevice(runtime.api);
      for (const device of both()) await device.signIn();
    });
    afterAll(async () => {
      for (const device of both()) await device?.close();
      await network?.stop();
    });

    it('show what the other one does', async () => {
      const bookingId = await laptop.book();
      for (const device of both()) await shows(device, bookingId, 'pending_payment');
      expect(await phone.cancel(bookingId)).toBe('cancelled');
      for (const device of both()) await shows(device, bookingId, 'cancelled');
    });

    it('show the same after the phone was offline: it gets what it missed, once and in order', async () => {
      const before = await phone.book();
      await shows(laptop, before, 'pending_payment');
      await shows(phone, before, 'pending_payment');
      network.off();
      await laptop.cancel(before);
      const meanwhile = await laptop.book();
      await laptop.cancel(meanwhile);
      await shows(laptop, meanwhile, 'cancelled');
      expect((await phone.shown())[meanwhile]).toBeUndefined();

      network.on();
      await phone.online();
      await shows(phone, meanwhile, 'cancelled');
      await shows(phone, before, 'cancelled');
      const { offsets, reads } = await phone.received();
      expect(offsets.length).toBeGreaterThan(3);
      expect(offsets).toEqual(offsets.map((_, index) => (offsets[0] ?? 0) + index));
      expect(reads).toBe(1);
    });
  });
