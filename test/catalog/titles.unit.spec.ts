import { expect, it } from 'vitest';
import type { AnyEvent } from '../../domain/core/decider.ts';
import { titles } from '../../projections/catalog/titles.ts';
import { at } from '../bookings/bookingFixtures.ts';
import { happened, projection } from '../kit/projected.ts';
import { hotelAdded, hotelId, ownerId, roomAdded, roomId } from './catalogFixtures.ts';
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

const rowsAfter = projection(titles);
const told = (id: string, ...events: AnyEvent[]) =>
  rowsAfter(events.map((event) => happened('catalog', id, event, at(0))));

it('are what things are called, and where they are', () => {
  const renamed = (type: string) => ({ type, data: { ownerId: OWNER, name: 'Renamed' } });
  const row = { id: LISTING, title: 'Renamed', city: 'Rosa Khutor' };
  for (const [kind, name, details] of [
    ['tour', 'Tour', tourDetails],
    ['instructor', 'Instructor', instructorDetails],
    ['company', 'Company', companyDetails],
  ] as const) {
    const added = { type: `${name}Added`, data: { ...fixed, ...details } };
    const whose = { owner_id: OWNER };
    expect(told(LISTING, added)).toEqual([{ ...row, ...whose, kind, title: details.name }]);
    expect(told(LISTING, added, renamed(`${name}DetailsChanged`))).toEqual([{ ...row, ...whose, kind }]);
  }
  const moved = { type: 'HotelDetailsChanged', data: { ownerId: OWNER, city: 'Elsewhere' } };
  expect(told(hotelId, hotelAdded, moved)).toEqual([
    { id: hotelId, kind: 'hotel', title: 'Edelweiss', city: 'Elsewhere', owner_id: OWNER },
  ]);
  expect(told(roomId, roomAdded, { type: 'RoomDetailsChanged', data: { name: 'Attic' } })).toEqual([
    { id: roomId, kind: 'room', title: 'Attic', city: null, owner_id: ownerId },
  ]);
});

it.each([
  ['restaurant', 'Restaurant', restaurantDetails, 'table', 'tables', 'By the window', 'Round table'],
  ['transfer', 'Transfer', transferDetails, 'vehicle', 'vehicles', 'Sedan', 'Minivan'],
] as const)('%s: so are its parts, also those that are gone', (kind, name, details, partKind, parts, small, large) => {
  const [listing, smallOne, largeOne] = [
    { id: LISTING, kind, title: details.name, city: 'Rosa Khutor', owner_id: OWNER },
    { id: SMALL, kind: partKind, title: small, city: null, owner_id: OWNER },
    { id: LARGE, kind: partKind, title: large, city: null, owner_id: OWNER },
  ];
  const added = { type: `${name}Added`, data: { ...fixed, ...details } };
  const rows = told(LISTING, added);
  expect(rows).toHaveLength(3);
  expect(rows).toEqual(expect.arrayContaining([listing, smallOne, largeOne]));
  const data = { ownerId: OWNER, [parts]: [{ id: SMALL, name: 'New' }] };
  const after = told(LISTING, added, { type: `${name}DetailsChanged`, data });
  expect(after).toEqual(expect.arrayContaining([listing, { ...smallOne, title: 'New' }, largeOne]));
});
