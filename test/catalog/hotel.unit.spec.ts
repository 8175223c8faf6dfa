import { describe, it } from 'vitest';
import { hotel } from '../../domain/catalog/hotel.ts';
import { specification } from '../kit/given.ts';
import { hotelAdded, hotelDetails, hotelPublished, ownerId } from './catalogFixtures.ts';

const given = specification(hotel);
const add = { type: 'AddHotel', ...hotelAdded.data } as const;
const closed = { type: 'HotelClosed', data: {} } as const;

describe('adding a hotel', () => {
  it('records it once', () => given([]).when(add).thenOnce([hotelAdded]));
  it('is refused under the id of another', () =>
    given([hotelAdded])
      .when({ ...add, name: 'Another' })
      .then('conflict'));
  it('needs a time zone that exists', () =>
    given([])
      .when({ ...add, timezone: 'Mars/Olympus' })
      .then('invalid'));
  it('needs a currency that exists', () =>
    given([])
      .when({ ...add, currency: 'ZZZ' })
      .then('invalid'));
});

describe('changing its details', () => {
  it('records what differs, and nothing else', () =>
    given([hotelAdded])
      .when({ type: 'ChangeHotelDetails', name: 'Edelweiss Grand', stars: hotelDetails.stars })
      .thenOnce([{ type: 'HotelDetailsChanged', data: { name: 'Edelweiss Grand' } }]));
  it('needs a hotel', () => given([]).when({ type: 'ChangeHotelDetails', stars: 5 }).then('not_found'));
});

describe('opening and closing it', () => {
  it('begins closed and is published once', () =>
    given([hotelAdded]).when({ type: 'PublishHotel' }).thenOnce([hotelPublished]));
  it('closes once', () => given([hotelAdded, hotelPublished]).when({ type: 'CloseHotel' }).thenOnce([closed]));
  it('has nothing to close before it was published', () => given([hotelAdded]).when({ type: 'CloseHotel' }).then([]));
  it('opens again', () =>
    given([hotelAdded, hotelPublished, closed]).when({ type: 'PublishHotel' }).thenOnce([hotelPublished]));
  it('needs a hotel', () => given([]).when({ type: 'PublishHotel' }).then('not_found'));
});

describe('its state', () => {
  it('keeps the owner through changes', ({ expect }) => {
    const { state } = given([hotelAdded, hotelPublished, { type: 'HotelDetailsChanged', data: { stars: 5 } }]);
    expect(state).toMatchObject({ ownerId, status: 'published', stars: 5, name: hotelDetails.name });
  });
});
