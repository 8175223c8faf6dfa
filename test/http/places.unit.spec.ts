import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createPlaces } from '../../api/http/places.ts';
import { routes } from '../../api/modules.ts';

const UPLOAD = '/api/v1/attachments/upload';
/** How many places an address gets. */
const taken = (places: ReturnType<typeof createPlaces>, path: string, most: number): number => {
  for (let n = 0; n < most; n += 1) {
    try {
      places.take(path, 'hotel');
    } catch {
      return n;
    }
  }
  return most;
};

describe('places', () => {
  it('of uploads and of other requests do not take from each other', () => {
    const places = createPlaces(routes);
    expect(taken(places, UPLOAD, 1_000)).toBe(60);
    expect(taken(places, '/api/v1/bookings', 1_000)).toBe(400);
    expect(() => places.take(UPLOAD, 'another')).not.toThrow();
  });

  it.each(['/health', '/api/v1/platform/health', '/api/v1/sos/request'])('are not needed by %s', (path) => {
    expect(taken(createPlaces(routes), path, 3_000)).toBe(3_000);
  });

  it('of one account are few for uploads, and are given back', async () => {
    const places = createPlaces(routes);
    const begun: (() => void)[] = [];
    const run = () => new Promise<void>((resolve) => begun.push(resolve));
    const uploads = Array.from({ length: 4 }, () => places.upload('anna', run));
    await expect(places.upload('anna', run)).rejects.toMatchObject({ code: 'rate_limited' });
    void places.upload('boris', run);
    for (const end of begun) end();
    await Promise.all(uploads);
    await places.upload('anna', async () => undefined);
  });
});

describe('bodies', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate'] }));
  afterEach(() => void vi.useRealTimers());

  /** Requests from one address, whose bodies are under way until they are told to arrive. */
  const world = () => {
    const places = createPlaces(routes);
    return (account?: string) => {
      const req = { complete: false };
      const place = places.take('/api/v1/bookings', 'hotel');
      let resolve: (body: string) => void = () => undefined;
      const reading = new Promise<string>((whole) => {
        resolve = whole;
      });
      let told: string | undefined;
      const tell = (what: string) => {
        told = what;
        place.leave();
      };
      place.receive(req, account, reading).then(tell, ({ code }: { code: string }) => tell(code));
      const arrive = async () => {
        req.complete = true;
        resolve('served');
        await vi.advanceTimersByTimeAsync(0);
      };
      return { arrive, told: () => told };
    };
  };
  const count = (all: readonly { told: () => string | undefined }[], what?: string) =>
    all.filter(({ told }) => told() === what).length;
  /** The bodies that are under way are slow from then on. */
  const aSecondLater = () => vi.advanceTimersByTimeAsync(1_001);

  it('that are under way take no place from other requests', async () => {
    const request = world();
    const flood = Array.from({ length: 410 }, (_, n) => request(`account ${n % 7}`));
    const signIn = request();
    await signIn.arrive();
    expect([signIn.told(), count(flood)]).toEqual(['served', 410]);
  });

  it('that are slow have few places by account, more by address, and give them back', async () => {
    const request = world();
    const ofAccounts = Array.from({ length: 35 }, (_, n) => request(`account ${n % 7}`));
    const ofNobody = Array.from({ length: 21 }, () => request());
    const boris = request('boris');
    await aSecondLater();
    expect([count(ofAccounts), count(ofAccounts, 'too_slow')]).toEqual([28, 7]);
    expect([count(ofNobody), count(ofNobody, 'too_slow')]).toEqual([20, 1]);
    await boris.arrive();
    expect(boris.told()).toBe('served');

    const others = Array.from({ length: 20 }, (_, n) => request(`other ${n}`));
    await aSecondLater();
    expect(count(others)).toBe(60 - 28 - 20);
    for (const { arrive } of [...ofAccounts, ...ofNobody, ...others]) await arrive();
    const again = Array.from({ length: 61 }, (_, n) => request(`other ${n}`));
    await aSecondLater();
    expect([count(again), count(again, 'too_slow')]).toEqual([60, 1]);
  });

  it('that arrived while we were busy are not slow', async () => {
    const request = world();
    const before = Array.from({ length: 4 }, () => request('anna'));
    await aSecondLater();
    const late = request('anna');
    vi.advanceTimersToNextTimer(); // a timer runs before what has arrived is read
    await late.arrive();
    expect(late.told()).toBe('served');
    expect(count(before)).toBe(4);
  });
});
