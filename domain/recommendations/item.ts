/** What can be recommended, and by which features one item resembles another. */
import type { Static } from '@sinclair/typebox';
import type { HotelDetails } from '../catalog/hotel.ts';
import type { InstructorDetails } from '../catalog/instructor.ts';
import type { RestaurantDetails } from '../catalog/restaurant.ts';
import type { TourDetails } from '../catalog/tour.ts';
import type { TransferDetails } from '../catalog/transfer.ts';
import { OneOf } from '../core/schema.ts';
import type { SlopeDetails } from '../resort/slope.ts';

/** Listings that can be booked. */
export const bookedKinds = ['hotel', 'tour', 'restaurant', 'transfer', 'instructor'] as const;
export type BookedKind = (typeof bookedKinds)[number];
export const recommendedKinds = [...bookedKinds, 'slope'] as const;
export const RecommendedKind = OneOf(recommendedKinds);
export type RecommendedKind = Static<typeof RecommendedKind>;

export interface Item {
  readonly id: string;
  readonly kind: RecommendedKind;
  /** null: of the resort itself. */
  readonly sellerId: string | null;
  /** `name:value`, such as `sport:freeride`. Kinds share names, so that a lesson says something about tours. */
  readonly features: readonly string[];
  readonly rating: Rating | null;
  /** From 0 to 1, in place of its popularity; null: how often it is booked counts. */
  readonly interest: number | null;
}
interface Rating {
  /** Of all ratings, each from 1 to 5. */
  readonly sum: number;
  readonly reviews: number;
}

/** Words of sellers are compared without case; there are at most this many of a kind for one item. */
const MAX_WORDS = 20;
const words = (name: string, values: readonly string[]): string[] =>
  values.slice(0, MAX_WORDS).map((value) => `${name}:${value.trim().toLowerCase()}`);

/** Prices are alike within a factor of two. */
const priceFeature = (minor: number): string => `price:${Math.round(Math.log2(1 + minor))}`;

const TOUR_LEVELS = { easy: 1, moderate: 2, hard: 3, expert: 4 } as const;
const LESSON_LEVELS = { kids: 1, beginner: 1, intermediate: 2, advanced: 3, expert: 4 } as const;
const SLOPE_LEVELS = { novice: 1, easy: 1, intermediate: 2, advanced: 3, expert: 4, freeride: 4 } as const;

/** What the features of each kind follow from. The name and the texts of a listing are not among it. */
export const featuresOf = {
  hotel: ({ city, stars, amenities }: Pick<HotelDetails, 'city' | 'stars' | 'amenities'>) => [
    'kind:hotel',
    ...words('city', [city]),
    `stars:${stars}`,
    ...words('amenity', amenities),
  ],
  tour: ({
    city,
    activity,
    difficulty,
    languages,
    pricePerPersonMinor,
  }: Pick<TourDetails, 'city' | 'activity' | 'difficulty' | 'languages' | 'pricePerPersonMinor'>) => [
    'kind:tour',
    ...words('city', [city]),
    `sport:${activity}`,
    `level:${TOUR_LEVELS[difficulty]}`,
    ...words('language', languages),
    priceFeature(pricePerPersonMinor),
  ],
  restaurant: ({
    city,
    cuisines,
    averageBillMinor,
  }: Pick<RestaurantDetails, 'city' | 'cuisines' | 'averageBillMinor'>) => [
    'kind:restaurant',
    ...words('city', [city]),
    ...words('cuisine', cuisines),
    priceFeature(averageBillMinor),
  ],
  transfer: ({
    city,
    origin,
    destination,
    vehicles,
  }: Pick<TransferDetails, 'city' | 'origin' | 'destination' | 'vehicles'>) => [
    'kind:transfer',
    ...words('city', [city]),
    ...words('from', [origin.name]),
    ...words('to', [destination.name]),
    ...new Set(vehicles.map((vehicle) => `vehicle:${vehicle.class}`)),
  ],
  instructor: ({
    city,
    disciplines,
    levels,
    languages,
    pricePerHourMinor,
  }: Pick<InstructorDetails, 'city' | 'disciplines' | 'levels' | 'languages' | 'pricePerHourMinor'>) => [
    'kind:instructor',
    ...words('city', [city]),
    ...disciplines.map((discipline) => `sport:${discipline}`),
    ...new Set(levels.map((level) => `level:${LESSON_LEVELS[level]}`)),
    ...words('language', languages),
    priceFeature(pricePerHourMinor),
  ],
  slope: ({ difficulty }: Pick<SlopeDetails, 'difficulty'>) => [
    'kind:slope',
    `level:${SLOPE_LEVELS[difficulty]}`,
    ...(difficulty === 'freeride' ? ['sport:freeride'] : ['sport:ski']),
  ],
} as const;
