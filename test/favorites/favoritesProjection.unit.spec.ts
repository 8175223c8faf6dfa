/** Favourites as they are listed, and what is news to those who watch them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newsFor } from '../../commands/favorites/lookAtWatched.ts';
import { BECAME_FREE, PRICE_DROPPED } from '../../commands/favorites/notifications.ts';
import type { FavoriteEvent, Watch } from '../../domain/favorites/favorites.ts';
import { favorites, shownAt } from '../../projections/favorites/favorites.ts';
import { at, GUEST, id } from '../bookings/bookingFixtures.ts';
import { happened, projection } from '../kit/projected.ts';

const rowsAfter = projection(favorites);
const target = { kind: 'hotel', id: id(7) };
const on = (event: FavoriteEvent, minutes: number) => happened('favorites', GUEST, event, at(minutes));
const added = on({ type: 'FavoriteAdded', data: { target } }, 1);
const watch: Watch = {
  reasons: ['price_drop', 'free_dates'],
  stay: { checkIn: '2026-03-08', checkOut: '2026-03-10', guests: 2 },
};
const head = { user_id: GUEST, kind: 'hotel', target_id: id(7), added_at: at(1) };
const none = { notify: [], check_in: null, check_out: null, guests: null };

it('a favourite is there until it is removed, with what is wanted to be told', () => {
  expect(rowsAfter([added])).toEqual([{ ...head, ...none }]);
  const watched = on({ type: 'FavoriteWatchSet', data: { target, watch } }, 2);
  expect(rowsAfter([added, watched])).toEqual([
    { ...head, notify: watch.reasons, check_in: '2026-03-08', check_out: '2026-03-10', guests: 2 },
  ]);
  const ended = on({ type: 'FavoriteWatchSet', data: { target, watch: null } }, 3);
  expect(rowsAfter([added, watched, ended])).toEqual([{ ...head, ...none }]);
  expect(rowsAfter([added, on({ type: 'FavoriteRemoved', data: { target } }, 4)])).toEqual([]);
});

it('a watch of dates is shown until they have begun everywhere', () => {
  const row = { ...head, notify: watch.reasons, check_in: '2026-03-08', check_out: '2026-03-10', guests: 2 };
  expect(shownAt(row, '2026-03-09T23:59:59.999Z')).toEqual(row);
  expect(shownAt(row, '2026-03-10T00:00:00.000Z')).toEqual({ ...head, ...none });
  expect(shownAt({ ...row, check_in: null }, '2026-03-10T00:00:00.000Z').notify).toEqual(watch.reasons);
});

describe('a watcher', () => {
  const row = {
    ...{ person_id: GUEST, kind: 'hotel', target_id: id(7), reasons: ['price_drop', 'free_dates'] as const },
    ...{ check_in: null, check_out: null, guests: null, price_minor: null, is_free: null, told: 0 },
  };
  const look = (known: Partial<typeof row>, priceMinor: number | null, isFree = priceMinor !== null) =>
    newsFor({ ...row, ...known } as never, { priceMinor, isFree });

  it('learns the price at first, and is told nothing', () =>
    expect(look({}, 900)).toEqual({ news: [], known: { price_minor: 900, is_free: true, told: 0 } }));
  it('is told of a drop, not of a rise', () => {
    expect(look({ price_minor: 900, is_free: true } as never, 800).news).toEqual([PRICE_DROPPED]);
    expect(look({ price_minor: 900, is_free: true } as never, 1_000).news).toEqual([]);
  });
  it('is told that it is free again, and of a drop since it was for sale the last time', () => {
    const gone = look({ price_minor: 900, is_free: true } as never, null).known;
    expect(gone).toEqual({ price_minor: 900, is_free: false, told: 0 });
    expect(look(gone as never, 900).news).toEqual([BECAME_FREE]);
    expect(look(gone as never, 800).news).toEqual([PRICE_DROPPED, BECAME_FREE]);
  });
  it('is told only what they want', () =>
    expect(look({ price_minor: 900, is_free: false, reasons: ['free_dates'] } as never, 800).news).toEqual([
      BECAME_FREE,
    ]));
  it('is told of each drop once, whatever happens to the price', () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.integer({ min: 1, max: 5 })), { maxLength: 40 }), (prices) => {
        let known = { price_minor: null as number | null, is_free: null as boolean | null, told: 0 };
        let [drops, expected, last] = [0, 0, null as number | null];
        for (const price of prices) {
          // Looking twice at the same price tells nothing more.
          for (let times = 0; times < 2; times += 1) {
            const seen = look(known as never, price);
            drops += seen.news.filter((name) => name === PRICE_DROPPED).length;
            known = seen.known;
          }
          if (price !== null && last !== null && price < last) expected += 1;
          last = price ?? last;
        }
        expect(drops).toBe(expected);
      }),
    );
  });
});
