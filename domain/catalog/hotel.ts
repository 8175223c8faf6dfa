/** A hotel: its description, location, charges and cancellation rules. Its address is not personal data. */
import { type Static, Type } from '@sinclair/typebox';
import { isTimezone } from '../core/dates.ts';
import { type Decider, type EventDeclarations, type EventsOf, Rejected } from '../core/decider.ts';
import { differences } from '../core/differences.ts';
import { BPS, isCurrency } from '../core/money.ts';
import { Currency, OneOf, Uuid } from '../core/schema.ts';
import { cancellationPolicyNames } from './cancellation.ts';
import { Images, Location, Price, Text } from './listing.ts';

export const Amenities = Type.Array(Text(60), { maxItems: 100, uniqueItems: true });
const charge = { kind: OneOf(['tax', 'fee'] as const), name: Text(100) };
/** A tax or fee beside the nights: a percentage of their price, or a fixed amount for each of them. */
export const Charge = Type.Union([
  Type.Object({ ...charge, bps: Type.Integer({ minimum: 0, maximum: BPS }) }, { additionalProperties: false }),
  Type.Object({ ...charge, perNightMinor: Price }, { additionalProperties: false }),
]);
export type Charge = Static<typeof Charge>;

/** Details that the owner may change at any time; existing bookings keep the details they were made with. */
export const HotelDetails = Type.Object({
  name: Text(200),
  city: Text(100),
  address: Text(300),
  stars: Type.Integer({ minimum: 0, maximum: 5 }),
  description: Type.String({ maxLength: 10_000 }),
  amenities: Amenities,
  images: Images,
  location: Location,
  cancellationPolicy: OneOf(cancellationPolicyNames),
  charges: Type.Array(Charge, { maxItems: 20 }),
});
export type HotelDetails = Static<typeof HotelDetails>;

/** Prices and nights depend on these, so they never change. */
const Fixed = { ownerId: Uuid, timezone: Text(64), currency: Currency };

export const hotelEvents = {
  HotelAdded: { data: Type.Object({ ...Fixed, ...HotelDetails.properties }) },
  HotelDetailsChanged: { data: Type.Partial(HotelDetails) },
  /** Listed and open for bookings. */
  HotelPublished: { data: Type.Object({}) },
  /** No longer listed or bookable; existing bookings remain valid. */
  HotelClosed: { data: Type.Object({}) },
} as const satisfies EventDeclarations;
export type HotelEvent = EventsOf<typeof hotelEvents>;

export type HotelCommand =
  | ({
      readonly type: 'AddHotel';
      readonly ownerId: string;
      readonly timezone: string;
      readonly currency: string;
    } & HotelDetails)
  | ({ readonly type: 'ChangeHotelDetails' } & Partial<HotelDetails>)
  | { readonly type: 'PublishHotel' }
  | { readonly type: 'CloseHotel' };

export const hotelStatuses = ['closed', 'published'] as const;

export interface Hotel extends Readonly<HotelDetails> {
  /** `none`: never added. */
  readonly status: 'none' | (typeof hotelStatuses)[number];
  readonly ownerId: string;
  /** IANA name; says when a night begins. */
  readonly timezone: string;
  readonly currency: string;
}

const initial: Hotel = {
  status: 'none',
  ownerId: '',
  timezone: 'UTC',
  currency: 'XXX',
  name: '',
  city: '',
  address: '',
  stars: 0,
  description: '',
  amenities: [],
  images: [],
  location: { latitude: 0, longitude: 0 },
  cancellationPolicy: 'flexible',
  charges: [],
};

const decide = (command: HotelCommand, state: Hotel): HotelEvent[] => {
  if (command.type === 'AddHotel') return add(command, state);
  if (state.status === 'none') throw new Rejected('not_found', 'There is no such hotel.');
  switch (command.type) {
    case 'ChangeHotelDetails': {
      const { type, ...changes } = command;
      const data = differences(state, changes);
      return Object.keys(data).length > 0 ? [{ type: 'HotelDetailsChanged', data }] : [];
    }
    case 'PublishHotel':
      return state.status === 'published' ? [] : [{ type: 'HotelPublished', data: {} }];
    case 'CloseHotel':
      return state.status === 'closed' ? [] : [{ type: 'HotelClosed', data: {} }];
  }
};

const add = ({ type, ...data }: Extract<HotelCommand, { type: 'AddHotel' }>, state: Hotel): HotelEvent[] => {
  if (state.status !== 'none') {
    if (Object.keys(differences(state, data)).length > 0)
      throw new Rejected('conflict', 'This hotel already exists with other details.');
    return [];
  }
  if (!isTimezone(data.timezone)) throw new Rejected('invalid', `${data.timezone} is not an IANA time zone.`);
  if (!isCurrency(data.currency)) throw new Rejected('invalid', `${data.currency} is not an ISO 4217 currency.`);
  return [{ type: 'HotelAdded', data }];
};

const evolve = (state: Hotel, event: HotelEvent): Hotel => {
  switch (event.type) {
    case 'HotelAdded':
      return { ...event.data, status: 'closed' };
    case 'HotelDetailsChanged':
      return { ...state, ...event.data };
    case 'HotelPublished':
      return { ...state, status: 'published' };
    case 'HotelClosed':
      return { ...state, status: 'closed' };
  }
};

export const hotel: Decider<Hotel, HotelCommand, HotelEvent> = {
  category: 'hotel',
  events: hotelEvents,
  initial,
  decide,
  evolve,
};
