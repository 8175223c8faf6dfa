/** The wire form of hotels, rooms and availability, for partners, apps and owners. */
import { type Static, Type } from '@sinclair/typebox';
import { cancellationPolicy, DatedPolicy, datedPolicy } from '../../domain/catalog/cancellation.ts';
import type { HotelDetails } from '../../domain/catalog/hotel.ts';
import { CancellationTerms } from '../../domain/catalog/listing.ts';
import { listingKinds } from '../../domain/catalog/listings.ts';
import { type StayPrice, stayTimes } from '../../domain/catalog/pricing.ts';
import { NightTerms, RoomDetails } from '../../domain/catalog/room.ts';
import { isAllowed, type StayDates, unavailableReasonCodes } from '../../domain/catalog/stayRules.ts';
import { daysBetween } from '../../domain/core/dates.ts';
import { toMajor } from '../../domain/core/money.ts';
import { Currency, DateOnly, Minor, Nullable, OneOf, Uuid } from '../../domain/core/schema.ts';
import { snakeSchema, toSnake } from '../../infra/naming.ts';
import type { Calendar, OfferedRoom, RoomOffer } from '../../projections/catalog/availability.ts';
import { Distance } from './listingQueries.ts';
import { listingWire, owned, Pictures, rated, shownAs } from './listingWire.ts';
import { shownLeft } from './ownStock.ts';

const majorOf = (minor: number | null, currency: string): number | null =>
  minor === null ? null : toMajor(minor, currency);

const { fields } = listingWire<HotelDetails>('Hotel', listingKinds.hotel);
const found = {
  min_price: Nullable(
    Type.Number({
      description: 'The lowest price of a night before taxes and fees: on the given dates, or of all future nights.',
    }),
  ),
  min_price_minor: Nullable(Minor),
  ...rated,
};

/** A hotel for partners and guests. */
export const Hotel = Type.Object({ ...fields, ...found }, { $id: 'Hotel' });
/** A hotel in a list that may be searched around a location. */
export const FoundHotelReply = Type.Object({ ...Hotel.properties, distance_km: Distance }, { $id: 'FoundHotel' });
/** A hotel for its owner. */
export const OwnHotel = Type.Object({ ...fields, ...owned, ...found }, { $id: 'OwnHotel' });

export const hotelOf = shownAs(Hotel);
export const foundHotelOf = shownAs(FoundHotelReply);
export const ownHotelOf = shownAs(OwnHotel);

const { base_price_minor: _base, ...roomDetails } = snakeSchema(RoomDetails).properties;
const roomFields = {
  id: Uuid,
  hotel_id: Uuid,
  ...roomDetails,
  price_per_night: Type.Number({
    description:
      'The price of nights without one of their own, before taxes and fees. Of rooms added before this release and not priced since: only shown.',
  }),
  price_per_night_minor: Minor,
  currency: Currency,
};
/** A room type as an owner enters it. */
export const RoomInput = Type.Object({
  ...roomDetails,
  images: Pictures,
  price_per_night: Type.Number({ minimum: 0, description: 'In major units of the currency of the hotel.' }),
});

/** The reply to a change of a room type. */
export const EditedRoom = Type.Object(roomFields, { $id: 'EditedRoom' });
export const Room = Type.Object(
  {
    ...roomFields,
    availability: Type.Boolean({
      description: 'Whether the room is free on the given dates; without dates, whether any future night is free.',
    }),
    min_price: Nullable(
      Type.Number({
        description:
          'The lowest price of a night that can be booked, before taxes and fees; on the given dates, their average. null: none.',
      }),
    ),
    min_price_minor: Nullable(Minor),
  },
  { $id: 'Room' },
);

export const roomOf = <T extends { base_price_minor: number; currency: string }>({ base_price_minor, ...room }: T) => ({
  ...room,
  price_per_night: toMajor(base_price_minor, room.currency),
  price_per_night_minor: base_price_minor,
});
export const offeredRoomOf = (room: OfferedRoom): Static<typeof Room> => ({
  ...roomOf(room),
  min_price: majorOf(room.min_price_minor, room.currency),
});

const { price_minor: _price, ...nightRules } = snakeSchema(NightTerms).properties;
/** Price and rules of one night. */
export const Night = Type.Object(
  {
    date: DateOnly,
    price: Nullable(Type.Number()),
    price_minor: Nullable(Minor),
    ...nightRules,
  },
  { $id: 'Night' },
);

export const nightOf = (date: string, terms: Static<typeof NightTerms>, currency: string): Static<typeof Night> => ({
  date,
  price: majorOf(terms.priceMinor, currency),
  ...toSnake(terms),
});

const Price = Type.Object(
  {
    base: Type.Number(),
    base_minor: Minor,
    taxes: Type.Number(),
    taxes_minor: Minor,
    fees: Type.Number(),
    fees_minor: Minor,
    total: Type.Number(),
    total_minor: Minor,
    avg_per_night: Type.Number({ description: 'Average of the base price.' }),
    avg_per_night_minor: Minor,
  },
  { $id: 'StayPrice' },
);

const priceOf = ({
  currency,
  nights,
  baseMinor,
  taxesMinor,
  feesMinor,
  totalMinor,
}: StayPrice): Static<typeof Price> => {
  const averageMinor = Math.round(baseMinor / nights);
  return {
    base: toMajor(baseMinor, currency),
    base_minor: baseMinor,
    taxes: toMajor(taxesMinor, currency),
    taxes_minor: taxesMinor,
    fees: toMajor(feesMinor, currency),
    fees_minor: feesMinor,
    total: toMajor(totalMinor, currency),
    total_minor: totalMinor,
    avg_per_night: toMajor(averageMinor, currency),
    avg_per_night_minor: averageMinor,
  };
};

const Offer = Type.Object(
  {
    room_id: Uuid,
    name: Type.String(),
    capacity: Type.Integer(),
    available: Type.Boolean(),
    rooms_left: Type.Integer({
      description:
        'Free rooms on the night with the fewest. The owner sees a negative number where more is sold than there is.',
    }),
    nights: Type.Array(Type.Object({ ...Night.properties, available: Type.Boolean(), rooms_left: Type.Integer() })),
    price: Nullable(Price),
    cancellation_policy: CancellationTerms,
    /** What cancelling costs for these dates. */
    cancellation_rules: snakeSchema(DatedPolicy.properties.rules),
    unavailable_reasons: Type.Array(OneOf(unavailableReasonCodes)),
  },
  { $id: 'RoomOffer' },
);

/** The offers of a hotel for a stay. */
export const Availability = Type.Object(
  {
    hotel_id: Uuid,
    check_in: DateOnly,
    check_out: DateOnly,
    nights: Type.Integer(),
    guests: Type.Integer(),
    currency: Currency,
    rooms: Type.Array(Offer),
  },
  { $id: 'Availability' },
);

const offerOf = (
  { room, quote, roomsLeft, nights }: RoomOffer,
  hotel: Calendar,
  rules: Static<typeof Offer>['cancellation_rules'],
  isSeller: boolean,
): Static<typeof Offer> => ({
  room_id: room.id,
  name: room.name,
  capacity: room.capacity,
  available: quote.reasons.length === 0,
  rooms_left: shownLeft(roomsLeft, isSeller),
  nights: nights.map(({ date, left, ...terms }) => ({
    ...nightOf(date, terms, hotel.currency),
    available: isAllowed('night', { ...terms, left }),
    rooms_left: shownLeft(left, isSeller),
  })),
  price: quote.price && priceOf(quote.price),
  cancellation_policy: hotel.cancellation_policy,
  cancellation_rules: rules,
  unavailable_reasons: [...quote.reasons],
});

/** @param isSeller sees by how much more is sold than there is */
export const availabilityOf = (
  hotel: Calendar,
  offers: readonly RoomOffer[],
  { checkIn, checkOut, guests }: StayDates & { readonly guests: number },
  isSeller: boolean,
): Static<typeof Availability> => {
  const start = { ...stayTimes(hotel.timezone, { checkIn, checkOut }), timezone: hotel.timezone };
  const rules = toSnake(datedPolicy(cancellationPolicy(hotel.cancellation_policy), start).rules);
  return {
    hotel_id: hotel.id,
    check_in: checkIn,
    check_out: checkOut,
    nights: daysBetween(checkIn, checkOut),
    guests,
    currency: hotel.currency,
    rooms: offers.map((offer) => offerOf(offer, hotel, rules, isSeller)),
  };
};
