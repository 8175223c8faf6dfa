/** The hotels of a fictitious mountain resort, for the demo. Prices in roubles per night. */
import type { Charge } from '../../domain/catalog/hotel.ts';

export interface SampleRoom {
  readonly name: string;
  readonly capacity: number;
  readonly units: number;
  readonly price: number;
}

export interface SampleHotel {
  readonly slug: string;
  readonly name: string;
  readonly city: string;
  readonly address: string;
  readonly stars: number;
  readonly description: string;
  readonly amenities: readonly string[];
  readonly latitude: number;
  readonly longitude: number;
  readonly cancellationPolicy: 'flexible' | 'moderate' | 'strict' | 'non_refundable';
  readonly rooms: readonly SampleRoom[];
}

export const TIMEZONE = 'Europe/Moscow';
export const CURRENCY = 'RUB';
/** Pictures of the offer with this slug. */
export const image = (slug: string, what: string, isMain = true) => ({
  url: `https://images.resort.example/${slug}/${what}.jpg`,
  isMain,
});
export const CHARGES: readonly Charge[] = [{ kind: 'tax', name: 'Resort tax', bps: 200 }];

const room = (name: string, capacity: number, units: number, price: number): SampleRoom => ({
  name,
  capacity,
  units,
  price,
});

export const sampleHotels: readonly SampleHotel[] = [
  {
    slug: 'edelweiss-grand',
    name: 'Edelweiss Grand',
    city: 'Krasnaya Polyana',
    address: 'Gornaya 1',
    stars: 5,
    description: 'The big house on the square: pool under glass, three restaurants, two minutes to the first gondola.',
    amenities: ['wifi', 'spa', 'pool', 'ski_room', 'restaurant', 'parking', 'kids_club'],
    latitude: 43.6791,
    longitude: 40.2058,
    cancellationPolicy: 'moderate',
    rooms: [
      room('Superior double', 2, 24, 18_500),
      room('Family room', 4, 12, 27_000),
      room('Junior suite', 3, 8, 36_000),
      room('Panorama suite', 4, 2, 68_000),
    ],
  },
  {
    slug: 'tri-vershiny',
    name: 'Tri Vershiny',
    city: 'Krasnaya Polyana',
    address: 'Zashchitnikov Kavkaza 14',
    stars: 4,
    description: 'Three peaks from every balcony, breakfast from seven, ski bus at the door.',
    amenities: ['wifi', 'sauna', 'ski_room', 'restaurant', 'parking'],
    latitude: 43.6832,
    longitude: 40.2101,
    cancellationPolicy: 'flexible',
    rooms: [
      room('Standard twin', 2, 30, 9_800),
      room('Double with balcony', 2, 18, 12_400),
      room('Triple', 3, 10, 14_900),
    ],
  },
  {
    slug: 'medvezhy-ugol',
    name: 'Medvezhy Ugol',
    city: 'Esto-Sadok',
    address: 'Olimpiyskaya 37',
    stars: 3,
    description: 'A bear at the reception, a fire in the hall, and the quietest valley rooms for the money.',
    amenities: ['wifi', 'fireplace', 'ski_room', 'parking', 'pets'],
    latitude: 43.6859,
    longitude: 40.2622,
    cancellationPolicy: 'flexible',
    rooms: [room('Economy double', 2, 14, 5_200), room('Family studio', 4, 6, 8_700)],
  },
  {
    slug: 'rosa-chalet',
    name: 'Rosa Chalet',
    city: 'Rosa Khutor',
    address: 'Naberezhnaya Lavanda 5',
    stars: 4,
    description: 'Timber and stone by the river, drying room for fifty pairs of boots, ski in at the end of the day.',
    amenities: ['wifi', 'sauna', 'ski_in', 'ski_room', 'bar'],
    latitude: 43.6715,
    longitude: 40.2976,
    cancellationPolicy: 'moderate',
    rooms: [room('Chalet double', 2, 16, 15_300), room('Loft', 3, 6, 19_800), room('Whole chalet', 8, 2, 74_000)],
  },
  {
    slug: 'gornolyzhnik',
    name: 'Gornolyzhnik',
    city: 'Rosa Khutor',
    address: 'Kamennaya 12',
    stars: 3,
    description: 'For those who came to ski: bunks, strong coffee, waxing bench, first lift in four minutes.',
    amenities: ['wifi', 'ski_room', 'waxing', 'kitchen'],
    latitude: 43.6698,
    longitude: 40.3012,
    cancellationPolicy: 'non_refundable',
    rooms: [room('Double', 2, 20, 6_400), room('Four-bed room', 4, 12, 8_800)],
  },
  {
    slug: 'lavina-spa',
    name: 'Lavina Spa & Resort',
    city: 'Rosa Khutor',
    address: 'Sredniy Khutor 3',
    stars: 5,
    description: 'At 1,170 metres, above the clouds on most mornings. Thermal pools, hammam, and a very good cellar.',
    amenities: ['wifi', 'spa', 'pool', 'hammam', 'ski_in', 'restaurant', 'bar', 'gym'],
    latitude: 43.6621,
    longitude: 40.3105,
    cancellationPolicy: 'strict',
    rooms: [room('Deluxe double', 2, 20, 24_500), room('Spa suite', 2, 6, 42_000), room('Family suite', 5, 4, 51_000)],
  },
  {
    slug: 'sosny',
    name: 'Sosny',
    city: 'Esto-Sadok',
    address: 'Berezovaya 8',
    stars: 4,
    description: 'Cabins between pines, each with its own steam bath and a view that needs no filter.',
    amenities: ['wifi', 'sauna', 'parking', 'playground', 'barbecue'],
    latitude: 43.6887,
    longitude: 40.2574,
    cancellationPolicy: 'moderate',
    rooms: [room('Cabin for four', 4, 8, 13_600), room('Cabin for six', 6, 5, 18_200)],
  },
  {
    slug: 'vysota-960',
    name: 'Vysota 960',
    city: 'Gazprom Polyana',
    address: 'Al’pika 2',
    stars: 4,
    description: 'On the 960-metre shelf: snow when the valley has rain, a long toboggan run to the village.',
    amenities: ['wifi', 'ski_in', 'ski_room', 'pool', 'kids_club'],
    latitude: 43.6944,
    longitude: 40.3221,
    cancellationPolicy: 'flexible',
    rooms: [
      room('Mountain-side double', 2, 22, 13_900),
      room('Family room', 4, 14, 19_400),
      room('Apartment', 6, 6, 28_800),
    ],
  },
  {
    slug: 'stary-mayak',
    name: 'Stary Mayak',
    city: 'Sirius',
    address: 'Morskoy bulvar 21',
    stars: 3,
    description: 'By the sea, forty minutes by train from the lifts: ski in the morning, swim in May.',
    amenities: ['wifi', 'beach', 'bicycles', 'restaurant'],
    latitude: 43.4023,
    longitude: 39.9551,
    cancellationPolicy: 'flexible',
    rooms: [room('Sea-view double', 2, 26, 7_300), room('Garden twin', 2, 18, 5_900), room('Family room', 4, 8, 9_900)],
  },
  {
    slug: 'ledokol',
    name: 'Ledokol Apartments',
    city: 'Krasnaya Polyana',
    address: 'Vozrozhdeniya 30',
    stars: 3,
    description: 'Flats with kitchens and washing machines for those who stay longer than a weekend.',
    amenities: ['wifi', 'kitchen', 'washing_machine', 'parking', 'pets'],
    latitude: 43.6768,
    longitude: 40.2149,
    cancellationPolicy: 'moderate',
    rooms: [room('Studio', 2, 10, 6_900), room('Two-room flat', 4, 8, 10_800), room('Three-room flat', 6, 4, 15_500)],
  },
  {
    slug: 'pik-hostel',
    name: 'Pik Hostel',
    city: 'Esto-Sadok',
    address: 'Nagornaya 4',
    stars: 1,
    description: 'Clean, cheap, cheerful. Lockers for boards, films on Fridays, the cheapest bed under the mountain.',
    amenities: ['wifi', 'kitchen', 'ski_room', 'bar'],
    latitude: 43.6841,
    longitude: 40.2655,
    cancellationPolicy: 'non_refundable',
    rooms: [room('Private double', 2, 6, 3_200), room('Six-bed room', 6, 5, 6_000)],
  },
  {
    slug: 'orlinoye-gnezdo',
    name: 'Orlinoye Gnezdo',
    city: 'Rosa Khutor',
    address: 'Rosa Pik 1',
    stars: 5,
    description: 'Three rooms at 2,320 metres. Reached by the last gondola; left on skis before anyone else is up.',
    amenities: ['wifi', 'restaurant', 'telescope', 'ski_in'],
    latitude: 43.6274,
    longitude: 40.3121,
    cancellationPolicy: 'strict',
    rooms: [room('Summit double', 2, 2, 49_000), room('Observatory', 2, 1, 82_000)],
  },
];
