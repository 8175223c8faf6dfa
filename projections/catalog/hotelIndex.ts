/**
 * The hotels, rooms and nights in memory, for searches over dates and prices. What is sold, and at what price, the rules of
 * a stay decide (`domain/catalog/stayRules.ts`). Words, cities and places stay with SQL, whose matches are then given here.
 */
import type { Confirmation } from '../../domain/catalog/confirmation.ts';
import type { Hotel as HotelState } from '../../domain/catalog/hotel.ts';
import { termsOf } from '../../domain/catalog/room.ts';
import { isAllowed, nightsOnSale } from '../../domain/catalog/stayRules.ts';
import { type FoundPage, type PricedHotel, type Prices, pageOf } from './hotelPages.ts';
import type { HotelSearch } from './hotelQuery.ts';
import { createNights, dayNumber, type Nights } from './nights.ts';
import { ownTermsOf, type RoomNightRow } from './roomNights.ts';

export interface HotelFacts {
  readonly id: string;
  readonly status: HotelState['status'];
  readonly stars: number;
  readonly timezone: string;
  readonly minor_per_major: number;
  readonly confirmation: Confirmation;
  /** The average of its reviews; null without reviews. */
  readonly rating: number | null;
}

export interface RoomFacts {
  readonly id: string;
  readonly hotel_id: string;
  readonly capacity: number;
  readonly units: number;
  readonly night_price_minor: number | null;
}

/** `day`: see `dayNumber`. */
export interface NightFacts extends Omit<RoomNightRow, 'room_id' | 'night' | 'holds'> {
  readonly day: number;
}

export interface HotelIndex {
  /** Replaces all hotels. In the order of their names, as the database sorts them. */
  setHotels(rows: readonly HotelFacts[]): void;
  /** Adds or replaces rooms. Their nights must be set again: how many are left depends on the room. */
  setRooms(rows: readonly RoomFacts[]): void;
  /** Replaces the nights of a room from one day to another. */
  setNights(roomId: string, from: number, to: number, rows: readonly NightFacts[]): void;
  /** @param among the hotels that SQL found, with their distances; all by default. Closed ones only for their owner */
  search(search: HotelSearch, among?: ReadonlyMap<string, number | null>): FoundPage;
  /** The lowest price of a night of a room, in minor units; null: none. */
  lowestPriceOf(roomId: string, at: string): number | null;
}

interface Room {
  readonly hotel_id: string;
  /** Its number among the nights. */
  readonly number: number;
  capacity: number;
  units: number;
  night_price_minor: number | null;
}

/** What decides which dates a hotel can still sell; hotels share it, because there are few different ones. */
interface Clock extends Pick<HotelFacts, 'timezone' | 'confirmation'> {
  readonly number: number;
}

interface Hotel extends PricedHotel, Pick<HotelFacts, 'status'> {
  /** Its place in the order of names. */
  readonly place: number;
  readonly rooms: readonly Room[];
  readonly clock: Clock;
}

/** Days from `firstNight` up to, not including, `end`. */
interface Calendar {
  readonly firstNight: number;
  readonly end: number;
  /** Whether the hotel sells the dates of the search; true without dates. */
  readonly sellsDates: boolean;
}

const calendars = ({ at, stay }: Pick<HotelSearch, 'at' | 'stay'>) => {
  const known: Calendar[] = [];
  return (clock: Clock): Calendar => {
    const found = known[clock.number];
    if (found) return found;
    const onSale = nightsOnSale(clock, at);
    const calendar = {
      firstNight: dayNumber(onSale.firstNight),
      end: dayNumber(onSale.end),
      sellsDates: stay === undefined || isAllowed('dates', { ...stay, ...onSale }),
    };
    known[clock.number] = calendar;
    return calendar;
  };
};

/** Whether a room is for so many guests. Asked of thousands of rooms, which have few different capacities. */
const takes = (guests: number) => {
  const known: boolean[] = [];
  return (capacity: number): boolean => {
    known[capacity] ??= isAllowed('party', { guests, capacity });
    return known[capacity];
  };
};

/** How the lowest price of a hotel is found, in minor units a night; undefined for a hotel that cannot be shown. */
type Pricing = (hotel: Hotel, calendar: Calendar) => ReturnType<Prices<Hotel>['priceOf']>;

const pricing = (nights: Nights, { stay, guests = 1 }: HotelSearch): Pricing => {
  const takesParty = takes(guests);
  if (!stay)
    return ({ rooms }, { firstNight, end }) => {
      let lowest = Number.POSITIVE_INFINITY;
      for (const { number, capacity } of rooms)
        if (takesParty(capacity)) lowest = Math.min(lowest, nights.lowestPrice(number, firstNight, end));
      return lowest === Number.POSITIVE_INFINITY ? null : lowest;
    };
  const [checkIn, checkOut] = [dayNumber(stay.checkIn), dayNumber(stay.checkOut)];
  const prices = nights.pricesOfStay(checkIn, checkOut - checkIn);
  return ({ rooms }, { sellsDates }) => {
    if (!sellsDates) return undefined;
    let lowest = Number.POSITIVE_INFINITY;
    for (const { number, capacity } of rooms) {
      const price = prices[number] ?? Number.NaN;
      if (price < lowest && takesParty(capacity)) lowest = price;
    }
    return lowest === Number.POSITIVE_INFINITY ? undefined : Math.round(lowest / (checkOut - checkIn));
  };
};

/** Those that fit in all but their prices. */
const fitting = (hotels: readonly Hotel[], { stars, stay, guests }: HotelSearch): readonly Hotel[] => {
  const party = stay ? undefined : guests; // for a stay, the prices show which rooms are left
  if (stars === undefined && party === undefined) return hotels;
  const takesParty = takes(party ?? 1);
  const hasRoom = ({ rooms }: Hotel) => rooms.some(({ capacity, units }) => takesParty(capacity) && units > 0);
  return hotels.filter(
    (hotel) => (stars === undefined || hotel.stars === stars) && (party === undefined || hasRoom(hotel)),
  );
};

export const createHotelIndex = (): HotelIndex => {
  let published: readonly Hotel[] = [];
  let hotels: ReadonlyMap<string, Hotel> = new Map();
  const rooms = new Map<string, Room>();
  const roomsByHotel = new Map<string, Room[]>();
  const clocks = new Map<string, Clock>();
  const nights = createNights();

  const roomsOf = (hotelId: string): Room[] => {
    const known = roomsByHotel.get(hotelId) ?? [];
    roomsByHotel.set(hotelId, known);
    return known;
  };
  const clockOf = ({ timezone, confirmation }: HotelFacts): Clock => {
    const name = `${confirmation} ${timezone}`;
    const known = clocks.get(name) ?? { timezone, confirmation, number: clocks.size };
    clocks.set(name, known);
    return known;
  };

  /** In the order of their names. */
  const those = (ids: Iterable<string>, { ownerId }: HotelSearch): Hotel[] =>
    [...ids]
      .flatMap((id) => hotels.get(id) ?? [])
      .filter((hotel) => ownerId !== undefined || isAllowed('hotel', hotel))
      .sort((a, b) => a.place - b.place);

  return {
    setHotels: (rows) => {
      // Field by field: objects that are made by spreading do not get the same shape, and take fifty times as long to read.
      const all = rows.map((row, place): Hotel => {
        const { id, status, stars, minor_per_major, rating } = row;
        return { id, place, status, stars, minor_per_major, rating, rooms: roomsOf(id), clock: clockOf(row) };
      });
      published = all.filter((hotel) => isAllowed('hotel', hotel));
      hotels = new Map(all.map((hotel) => [hotel.id, hotel]));
    },

    setRooms: (rows) => {
      for (const { id, ...facts } of rows) {
        const room: Room = rooms.get(id) ?? { number: nights.addRoom(), ...facts };
        Object.assign(room, facts);
        nights.setOthers(room.number, { ...termsOf(undefined, room.night_price_minor), left: room.units });
        if (rooms.has(id)) continue;
        rooms.set(id, room);
        roomsOf(room.hotel_id).push(room);
      }
    },

    setNights: (roomId, from, to, rows) => {
      const room = rooms.get(roomId);
      if (!room) return;
      const { number, units, night_price_minor: price } = room;
      const offered = rows.map((row) => ({
        day: row.day,
        left: units - row.taken,
        ...termsOf(ownTermsOf(row), price),
      }));
      nights.set(number, from, to, offered);
    },

    search: (search, among) => {
      const calendarOf = calendars(search);
      const price = pricing(nights, search);
      return pageOf(search, fitting(among ? those(among.keys(), search) : published, search), {
        priceOf: (hotel) => price(hotel, calendarOf(hotel.clock)),
        distanceOf: ({ id }) => among?.get(id) ?? null,
      });
    },

    lowestPriceOf: (roomId, at) => {
      const room = rooms.get(roomId);
      const hotel = room && hotels.get(room.hotel_id);
      if (!hotel) return null;
      const { firstNight, end } = calendars({ at })(hotel.clock);
      const lowest = nights.lowestPrice(room.number, firstNight, end);
      return lowest === Number.POSITIVE_INFINITY ? null : lowest;
    },
  };
};
