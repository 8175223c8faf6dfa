import { describe, expect, it } from 'vitest';
import { companyEvents } from '../../domain/catalog/company.ts';
import { hotelEvents } from '../../domain/catalog/hotel.ts';
import { instructorEvents } from '../../domain/catalog/instructor.ts';
import type { Listing, ListingCommand } from '../../domain/catalog/listing.ts';
import { listingKinds } from '../../domain/catalog/listings.ts';
import { restaurantEvents } from '../../domain/catalog/restaurant.ts';
import { tourEvents } from '../../domain/catalog/tour.ts';
import { transferEvents } from '../../domain/catalog/transfer.ts';
import type { AnyEvent, Decider } from '../../domain/core/decider.ts';
import { specification } from '../kit/given.ts';
import { hotelDetails } from './catalogFixtures.ts';
import {
  companyDetails,
  fixed,
  instructorDetails,
  LARGE,
  LISTING,
  OWNER,
  restaurantDetails,
  SMALL,
  tourDetails,
  transferDetails,
} from './listingFixtures.ts';

type Details = { readonly name: string };
const kinds = [
  { name: 'Hotel', kind: listingKinds.hotel, details: hotelDetails, events: hotelEvents },
  { name: 'Tour', kind: listingKinds.tour, details: tourDetails, events: tourEvents },
  { name: 'Restaurant', kind: listingKinds.restaurant, details: restaurantDetails, events: restaurantEvents },
  { name: 'Transfer', kind: listingKinds.transfer, details: transferDetails, events: transferEvents },
  { name: 'Instructor', kind: listingKinds.instructor, details: instructorDetails, events: instructorEvents },
  { name: 'Company', kind: listingKinds.company, details: companyDetails, events: companyEvents },
] as const;

describe.each(kinds)('the life of a listing: $name', ({ name, kind, details, events }) => {
  const decider = kind.decider as unknown as Decider<Listing<Details>, ListingCommand<Details>, AnyEvent>;
  const given = specification(decider);
  const add = (changes: object = {}): ListingCommand<Details> => ({ type: 'Add', ...fixed, details, ...changes });
  const added = { type: `${name}Added`, data: { ...fixed, ...details } };
  const published = { type: `${name}Published`, data: {} };
  const closed = { type: `${name}Closed`, data: {} };
  const changed = (data: object) => ({ type: `${name}DetailsChanged`, data: { ownerId: OWNER, ...data } });

  it('is added once, and starts closed', () => {
    given([]).when(add()).thenOnce([added]);
    expect(given([added]).state).toEqual({ ...fixed, ...details, status: 'closed', roleChange: 0, edition: 1 });
  });
  it('is not added over another', () =>
    given([added])
      .when(add({ currency: 'EUR' }))
      .then('conflict'));
  it('is in a time zone and a currency that exist', () => {
    given([])
      .when(add({ timezone: 'Mars/Olympus' }))
      .then('invalid');
    given([])
      .when(add({ currency: 'ZZZ' }))
      .then('invalid');
  });
  it('records what differs, and nothing else', () => {
    const wanted = { name: 'Renamed', city: details.city };
    given([added])
      .when({ type: 'ChangeDetails', details: wanted })
      .thenOnce([changed({ name: 'Renamed' })]);
    given([added]).when({ type: 'ChangeDetails', details: {} }).then([]);
  });
  it('keeps the rest through a change', () =>
    expect(given([added, published, changed({ name: 'Renamed' })]).state).toEqual({
      ...fixed,
      ...details,
      name: 'Renamed',
      status: 'published',
      roleChange: 0,
      edition: 3,
    }));
  it('is closed once for each change of the role of its owner, however often that is handled', () => {
    const lost = (roleChange: number) => ({ type: `${name}Closed`, data: { roleChange } }) as typeof closed;
    given([added, published])
      .when({ type: 'Close', roleChange: 1 })
      .thenOnce([lost(1)]);
    given([added, published, lost(1), published])
      .when({ type: 'Close', roleChange: 1 })
      .then([]);
    // The right to publish was read before the role was lost.
    given([added, lost(1)])
      .when({ type: 'Publish', roleChange: 0 })
      .then('insufficient_rights');
    for (const right of [{}, { roleChange: 1 }])
      given([added, lost(1)])
        .when({ type: 'Publish', ...right })
        .thenOnce([published]);
    given([added, published, lost(1), published])
      .when({ type: 'Close', roleChange: 2 })
      .thenOnce([lost(2)]);
  });
  it('is changed from the edition that was read, and from no other', () => {
    const rename = { type: 'ChangeDetails', details: { name: 'Renamed' }, edition: 2 } as const;
    given([added, published])
      .when(rename)
      .then([changed({ name: 'Renamed' })]);
    given([added, published, changed({ city: 'Adler' })])
      .when(rename)
      .then('unavailable');
    const renewed = given([added, published]);
    renewed.when({ type: 'Renew', edition: 2 }).thenOnce([changed({})]);
    renewed.when({ type: 'Renew', edition: 1 }).then([]);
    given([added, published, changed({})])
      .when(rename)
      .then('unavailable');
  });
  it('is published and closed, again and again', () => {
    given([added]).when({ type: 'Publish' }).thenOnce([published]);
    given([added, published]).when({ type: 'Close' }).thenOnce([closed]);
    given([added]).when({ type: 'Close' }).then([]);
    given([added, published, closed]).when({ type: 'Publish' }).thenOnce([published]);
  });
  it.each(['Publish', 'Close'] as const)('is there before %s', (type) => given([]).when({ type }).then('not_found'));
  it('cannot change before it was added', () =>
    given([])
      .when({ type: 'ChangeDetails', details: { name: 'X' } })
      .then('not_found'));
  it('names the person whose data its events carry', () =>
    expect(Object.entries(events).map(([type, { person }]: [string, { person?: string }]) => [type, person])).toEqual([
      [`${name}Added`, 'ownerId'],
      [`${name}DetailsChanged`, 'ownerId'],
      [`${name}Published`, undefined],
      [`${name}Closed`, undefined],
    ]));
});

describe('what a kind knows of its details', () => {
  it('a schedule does not end before it begins', () => {
    const schedule = [{ from: '2027-01-02', to: '2027-01-01', weekdays: ['fri' as const], time: '10:00' }];
    specification(listingKinds.tour.decider)([])
      .when({ type: 'Add', ...fixed, details: { ...tourDetails, schedule } })
      .then('invalid');
  });
  it('tables and vehicles have ids of their own', () => {
    const [table] = restaurantDetails.tables.map((one) => ({ ...one, id: SMALL }));
    specification(listingKinds.restaurant.decider)([
      { type: 'RestaurantAdded', data: { ...fixed, ...restaurantDetails } },
    ])
      .when({ type: 'ChangeDetails', details: { tables: [table as never, table as never] } })
      .then('invalid');
    const vehicles = transferDetails.vehicles.map((one) => ({ ...one, id: SMALL }));
    specification(listingKinds.transfer.decider)([])
      .when({ type: 'Add', ...fixed, details: { ...transferDetails, vehicles } })
      .then('invalid');
  });
  it('how it is confirmed, also where an event of an earlier release does not say', () => {
    const { confirmation: _, ...table } = restaurantDetails;
    const { confirmation: __, ...house } = hotelDetails;
    const { restaurant, hotel } = listingKinds;
    const listed = specification(restaurant.decider)([{ type: 'RestaurantAdded', data: { ...fixed, ...table } }]);
    expect(listed.state).toMatchObject({ confirmation: 'on_request' });
    listed
      .when({ type: 'ChangeDetails', details: { confirmation: 'instant' } })
      .thenOnce([{ type: 'RestaurantDetailsChanged', data: { ownerId: OWNER, confirmation: 'instant' } }]);
    expect(specification(hotel.decider)([{ type: 'HotelAdded', data: { ...fixed, ...house } }]).state).toMatchObject({
      confirmation: 'instant',
    });
  });
  it('what is in stock: seats, tables, vehicles, one person, nothing', () => {
    const { hotel, tour, restaurant, transfer, instructor, company } = listingKinds;
    expect(hotel.stockOf(LISTING, hotelDetails)).toEqual([]);
    expect(tour.stockOf(LISTING, tourDetails)).toEqual([{ unitId: LISTING, capacity: 8 }]);
    expect(restaurant.stockOf(LISTING, restaurantDetails)).toEqual([
      { unitId: LARGE, capacity: 2, party: 6 },
      { unitId: SMALL, capacity: 5, party: 2 },
    ]);
    expect(transfer.stockOf(LISTING, transferDetails)).toEqual([
      { unitId: SMALL, capacity: 4, party: 3 },
      { unitId: LARGE, capacity: 2, party: 7 },
    ]);
    expect(instructor.stockOf(LISTING, instructorDetails)).toEqual([{ unitId: LISTING, capacity: 1, party: 4 }]);
    expect(company.stockOf(LISTING, companyDetails)).toEqual([]);
  });
  it('which roles may own it', () => {
    expect(Object.values(listingKinds).map(({ owners }) => owners)).toEqual([
      ['hotelier'],
      ['tour_operator'],
      ['restaurant'],
      ['transfer_provider'],
      ['instructor'],
      ['hotelier', 'tour_operator', 'transfer_provider', 'instructor', 'restaurant'],
    ]);
  });
});
