/** One listing of each kind as specs begin with it. All at the same place. */
import type { CompanyDetails } from '../../domain/catalog/company.ts';
import type { InstructorDetails } from '../../domain/catalog/instructor.ts';
import type { RestaurantDetails } from '../../domain/catalog/restaurant.ts';
import type { TourDetails } from '../../domain/catalog/tour.ts';
import type { TransferDetails } from '../../domain/catalog/transfer.ts';
import { WEEKDAYS } from '../../domain/core/dates.ts';
import { id } from '../bookings/bookingFixtures.ts';

export const OWNER = id(20);
export const LISTING = id(21);
export const [SMALL, LARGE] = [id(22), id(23)];
export const fixed = { ownerId: OWNER, timezone: 'Europe/Moscow', currency: 'RUB' };

const daily = [...WEEKDAYS];
const location = { latitude: 43.68, longitude: 40.2 };
const shown = { city: 'Rosa Khutor', description: '', images: [], location };

export const tourDetails: TourDetails = {
  ...shown,
  name: 'Snowmobiles by night',
  activity: 'snowmobile',
  difficulty: 'easy',
  languages: ['ru', 'en'],
  meetingPoint: 'At the lower station',
  durationMinutes: 90,
  seats: 8,
  pricePerPersonMinor: 450_000,
  schedule: [{ from: '2026-12-01', to: '2027-03-31', weekdays: ['fri', 'sat'], time: '20:00' }],
  closedDates: ['2027-01-01'],
  cancellationPolicy: 'moderate',
  confirmation: 'instant',
  allowOverlapping: false,
};

export const restaurantDetails: RestaurantDetails = {
  ...shown,
  name: 'Ember',
  address: 'Naberezhnaya 3',
  cuisines: ['Caucasian'],
  averageBillMinor: 250_000,
  openingHours: [{ weekdays: daily, from: '12:00', to: '02:00' }],
  closedDates: ['2026-12-31'],
  sittingMinutes: 120,
  depositPerGuestMinor: 50_000,
  tables: [
    { id: LARGE, name: 'Round table', seats: 6, units: 2 },
    { id: SMALL, name: 'By the window', seats: 2, units: 5 },
  ],
  cancellationPolicy: 'flexible',
  confirmation: 'on_request',
  allowOverlapping: false,
};

const { location: _none, ...somewhere } = shown;
export const transferDetails: TransferDetails = {
  ...somewhere,
  name: 'Airport – Rosa Khutor',
  origin: { name: 'Sochi airport', location: { latitude: 43.45, longitude: 39.95 } },
  destination: { name: 'Rosa Khutor', location },
  lengthKm: 46,
  durationMinutes: 60,
  turnaroundMinutes: 75,
  serviceHours: [{ weekdays: daily, from: '06:00', to: '24:00' }],
  closedDates: ['2026-12-31'],
  vehicles: [
    { id: SMALL, name: 'Sedan', class: 'comfort', seats: 3, luggage: 3, units: 4, priceMinor: 300_000 },
    { id: LARGE, name: 'Minivan', class: 'minivan', seats: 7, luggage: 8, units: 2, priceMinor: 520_000 },
  ],
  cancellationPolicy: 'flexible',
  confirmation: 'instant',
};

export const instructorDetails: InstructorDetails = {
  ...shown,
  name: 'Ilya Morozov',
  disciplines: ['ski', 'freeride'],
  levels: ['beginner', 'advanced'],
  languages: ['ru'],
  pricePerHourMinor: 400_000,
  maxGroup: 4,
  workingHours: [{ weekdays: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '16:00' }],
  closedDates: ['2026-12-31'],
  cancellationPolicy: 'strict',
  confirmation: 'on_request',
  allowOverlapping: false,
};

export const companyDetails: CompanyDetails = {
  ...shown,
  name: 'Three Peaks',
  address: 'Gornaya 1',
  sells: ['tour', 'instructor'],
  website: null,
};
