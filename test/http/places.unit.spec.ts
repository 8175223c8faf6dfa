import { describe, expect, it } from 'vitest';
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
