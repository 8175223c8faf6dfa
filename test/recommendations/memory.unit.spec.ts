/** What is counted and kept in memory, what is offered on dates, and the words of the reasons. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { disciplines } from '../../domain/catalog/instructor.ts';
import { tourActivities } from '../../domain/catalog/tour.ts';
import { vehicleClasses } from '../../domain/catalog/transfer.ts';
import { postLanguages } from '../../domain/content/post.ts';
import { DAY_MS } from '../../domain/core/instants.ts';
import { featuresOf } from '../../domain/recommendations/item.ts';
import { daysOf, isOffered, offerOf } from '../../domain/recommendations/offer.ts';
import { TITLE, textOf } from '../../domain/recommendations/reasons.ts';
import { difficulties } from '../../domain/resort/slope.ts';
import {
  createBookingCounts,
  MAX_BOOKINGS,
  MAX_BOOKINGS_OF_ONE,
} from '../../projections/recommendations/bookingCounts.ts';
import { createRecommendationIndex } from '../../projections/recommendations/recommendationIndex.ts';
import { instructorDetails, restaurantDetails, tourDetails, transferDetails } from '../catalog/listingFixtures.ts';

const ITEMS = ['a', 'b', 'c', 'd', 'e'];
const WEEK = 2_950;
const booking = fc.record({
  itemId: fc.constantFrom(...ITEMS),
  at: fc.integer({ min: 1, max: 28 }).map((day) => `2026-06-${String(day).padStart(2, '0')}T08:00:00.000Z`),
  startsOn: fc.integer({ min: 1, max: 12 }).map((month) => `2026-${String(month).padStart(2, '0')}-10`),
});
const people = fc.dictionary(fc.constantFrom('anna', 'boris', 'vera', 'gleb'), fc.array(booking, { maxLength: 6 }));

const shown = (counts: ReturnType<typeof createBookingCounts>) =>
  ITEMS.map((id) => ({
    people: counts.peopleOf(id),
    together: Object.fromEntries([...counts.togetherWith(id)].sort()),
    months: counts.monthsOf(id).some((count) => count > 0) ? counts.monthsOf(id) : [],
    popularity: counts.popularityOf(id, WEEK),
  }));

describe('the counts of bookings', () => {
  it('are those of whoever is counted at last, whatever was counted and withdrawn before', () => {
    fc.assert(
      fc.property(people, people, (first, last) => {
        const [changed, fresh] = [createBookingCounts(), createBookingCounts()];
        for (const [person, bookings] of Object.entries(first)) changed.set(person, bookings);
        for (const person of Object.keys(first)) changed.set(person, last[person] ?? []);
        for (const [person, bookings] of Object.entries(last)) {
          changed.set(person, bookings);
          fresh.set(person, bookings);
        }
        expect(shown(changed)).toEqual(shown(fresh));
        expect([...changed.people()].sort()).toEqual([...fresh.people()].sort());
      }),
    );
  });

  it('are bounded', () => {
    const counts = createBookingCounts();
    const many = Array.from({ length: MAX_BOOKINGS_OF_ONE + 5 }, () => ({
      ...{ itemId: 'a', at: '2026-06-01T00:00:00.000Z', startsOn: '2026-06-01' },
    }));
    for (let n = 0; n <= MAX_BOOKINGS / MAX_BOOKINGS_OF_ONE; n += 1) counts.set(`p${n}`, many);
    expect(counts.peopleOf('a')).toBe(MAX_BOOKINGS / MAX_BOOKINGS_OF_ONE);
    counts.clear();
    expect([...counts.people(), counts.peopleOf('a')]).toEqual([0]);
  });

  it('let popularity fade by half in six weeks', () => {
    const counts = createBookingCounts();
    counts.set('anna', [{ itemId: 'a', at: '2026-06-04T00:00:00.000Z', startsOn: '2026-06-04' }]);
    const week = Math.floor(Date.parse('2026-06-04T00:00:00.000Z') / (7 * DAY_MS));
    expect([counts.popularityOf('a', week), counts.popularityOf('a', week + 6)]).toEqual([1, 0.5]);
  });
});

it('the index counts features of the items that it has, and forgets those that are gone', () => {
  const index = createRecommendationIndex();
  const item = (id: string, ...features: string[]) => ({
    ...{ id, kind: 'tour' as const, sellerId: null, features, rating: null, interest: null, offer: null },
  });
  index.setItems([item('a', 'x', 'y'), item('b', 'x')]);
  expect([index.size, index.withFeature('x'), index.withFeature('y')]).toEqual([2, 2, 1]);
  index.setItems([item('b', 'y')], ['a', 'b']);
  expect([index.size, index.withFeature('x'), index.withFeature('y')]).toEqual([1, 0, 1]);
  expect(index.itemOf('a')).toBeUndefined();
});

describe('an offer', () => {
  const offered = (offer: Parameters<typeof isOffered>[0], checkIn: string, checkOut: string, guests = 2) =>
    isOffered(offer, daysOf({ checkIn, checkOut }), guests);

  it('follows schedules, closed dates and the size of the party', () => {
    const tour = offerOf.tour(tourDetails); // Fridays and Saturdays from December to March, not on 1 January
    expect(offered(tour, '2026-12-07', '2026-12-11')).toBe(false);
    expect(offered(tour, '2026-12-07', '2026-12-12')).toBe(true);
    expect(offered(tour, '2027-01-01', '2027-01-02')).toBe(false);
    expect(offered(tour, '2027-04-01', '2027-04-10')).toBe(false);
    expect(offered(tour, '2026-12-11', '2026-12-12', 9)).toBe(false);
    const restaurant = offerOf.restaurant(restaurantDetails);
    expect([offered(restaurant, '2026-12-31', '2027-01-01'), offered(restaurant, '2026-12-30', '2027-01-01')]).toEqual([
      false,
      true,
    ]);
    expect([
      offered(restaurant, '2027-02-01', '2027-02-02', 6),
      offered(restaurant, '2027-02-01', '2027-02-02', 7),
    ]).toEqual([true, false]);
  });
});

describe('a reason', () => {
  it('has words in both languages for every feature that is named', () => {
    const features = [
      ...tourActivities.filter((activity) => activity !== 'other').map((activity) => `sport:${activity}`),
      ...disciplines.map((discipline) => `sport:${discipline}`),
      ...vehicleClasses.map((name) => `vehicle:${name}`),
      ...difficulties
        .flatMap((difficulty) => featuresOf.slope({ difficulty }))
        .filter((each) => !each.startsWith('kind')),
      'cuisine:хинкали',
      'stars:4',
    ];
    for (const feature of features)
      for (const lang of postLanguages) {
        const [plain, named] = [[], [feature]].map((of) => textOf({ code: 'similar', features: of }, lang));
        expect(named?.length, `${feature} in ${lang}`).toBeGreaterThan(plain?.length ?? 0);
      }
  });

  it('reads well', () => {
    const features = ['city:sochi', 'price:19', 'sport:freeride', 'level:3', 'cuisine:georgian', 'amenity:spa'];
    expect(textOf({ code: 'similar', features }, 'en')).toBe(
      'Like what you chose before: freeride, advanced level, georgian',
    );
    expect(textOf({ code: 'similar', features: ['city:sochi'] }, 'ru')).toBe('Похоже на то, что вы выбирали');
    expect(textOf({ code: 'season', month: 0 }, 'ru')).toBe('Часто бронируют в январе');
    expect(textOf({ code: 'rated', average: 4.75 }, 'ru')).toBe('Гости оценили на 4,8');
    expect(textOf({ code: 'booked_together', because: 'a' }, 'en')).toContain(TITLE);
  });

  it('is found for each kind by what it is, not by its texts', () => {
    expect(featuresOf.instructor(instructorDetails)).not.toContain(instructorDetails.name.toLowerCase());
    expect(featuresOf.transfer(transferDetails)).toContain('to:rosa khutor');
    expect(featuresOf.tour(tourDetails)).toEqual(expect.arrayContaining(['sport:snowmobile', 'level:1']));
  });
});
