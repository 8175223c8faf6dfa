/** A lift, a slope and their schedule, for specs. */
import type { LiftDetails } from '../../domain/resort/lift.ts';
import type { Schedule } from '../../domain/resort/schedule.ts';
import type { SlopeDetails } from '../../domain/resort/slope.ts';

export const id = (n: number) => `018f0000-0000-7000-8000-${String(n).padStart(12, '0')}`;

const EVERY_DAY: Schedule['seasons'][number]['hours'][number]['weekdays'] = [
  'mon',
  'tue',
  'wed',
  'thu',
  'fri',
  'sat',
  'sun',
];

/** Winter 2026/27: daily 9 to 16, on Saturdays also 18 to 22; closed on 10 January, short on New Year's Eve. */
export const winter: Schedule = {
  seasons: [
    {
      from: '2026-12-01',
      until: '2027-04-15',
      hours: [
        { weekdays: EVERY_DAY, opens: '09:00', closes: '16:00' },
        { weekdays: ['sat'], opens: '18:00', closes: '22:00' },
      ],
    },
  ],
  exceptions: [
    { from: '2026-12-31', until: '2026-12-31', hours: [{ opens: '09:00', closes: '14:00' }], note: 'New Year’s Eve' },
    { from: '2027-01-10', until: '2027-01-10', hours: [], note: null },
  ],
};

const common = { description: '', sourceId: null, lengthM: null, bottomAltitudeM: null, topAltitudeM: null };

export const liftOf = (more: Partial<LiftDetails> = {}): LiftDetails => ({
  ...common,
  name: 'Lavanda',
  kind: 'gondola',
  geometry: {
    type: 'LineString',
    coordinates: [
      [40.2976, 43.6715, 560],
      [40.3105, 43.6621, 1_170],
    ],
  },
  capacityPerHour: 2_400,
  rideMinutes: 8,
  schedule: winter,
  ...more,
});

export const slopeOf = (more: Partial<SlopeDetails> = {}): SlopeDetails => ({
  ...common,
  name: 'Derevnya',
  difficulty: 'easy',
  geometry: {
    type: 'LineString',
    coordinates: [
      [40.3105, 43.6621, 1_170],
      [40.2976, 43.6715, 560],
    ],
  },
  fromLifts: [],
  toLifts: [],
  toSlopes: [],
  groomedAt: null,
  schedule: winter,
  ...more,
});
