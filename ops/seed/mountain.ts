/** The lifts and slopes of the demo: an invented mountain of three sides above the valley, drawn on real-looking ground. */
import type { LiftDetails } from '../../domain/resort/lift.ts';
import type { Schedule } from '../../domain/resort/schedule.ts';
import type { SlopeDetails } from '../../domain/resort/slope.ts';

/** Longitude, latitude, altitude in metres. */
type Place = readonly [number, number, number];

/** Stations, on which lifts and slopes begin and end. */
const places = {
  village: [40.2976, 43.6715, 560],
  plateau: [40.3105, 43.6621, 1_170],
  ridge: [40.3162, 43.6498, 1_600],
  peak: [40.3121, 43.6274, 2_320],
  saddle: [40.3289, 43.6352, 2_050],
  bowl: [40.3341, 43.6437, 1_700],
  forest: [40.2991, 43.6542, 1_350],
  terrace: [40.2894, 43.6447, 1_830],
  crest: [40.2951, 43.6341, 2_180],
  meadow: [40.3078, 43.6607, 1_195],
  nursery: [40.3064, 43.6598, 1_240],
  gully: [40.3236, 43.6561, 1_380],
} as const satisfies Record<string, Place>;
type PlaceName = keyof typeof places;

export interface SampleLift {
  readonly name: string;
  readonly kind: LiftDetails['kind'];
  readonly from: PlaceName;
  readonly to: PlaceName;
  readonly capacity: number;
  readonly minutes: number;
  readonly hours?: 'day' | 'evening';
}

export const sampleLifts: readonly SampleLift[] = [
  { name: 'Lavanda', kind: 'gondola', from: 'village', to: 'plateau', capacity: 2_400, minutes: 8, hours: 'evening' },
  { name: 'Yasli', kind: 'magic_carpet', from: 'plateau', to: 'meadow', capacity: 900, minutes: 3, hours: 'evening' },
  { name: 'Pervy Shag', kind: 'platter', from: 'meadow', to: 'nursery', capacity: 720, minutes: 4 },
  { name: 'Zapoved', kind: 'gondola', from: 'plateau', to: 'ridge', capacity: 2_800, minutes: 7, hours: 'evening' },
  { name: 'Kavkaz Express', kind: 'cable_car', from: 'ridge', to: 'peak', capacity: 1_800, minutes: 9 },
  { name: 'Edelweiss', kind: 'chair_lift', from: 'bowl', to: 'saddle', capacity: 2_400, minutes: 6 },
  { name: 'Medvezhy', kind: 'chair_lift', from: 'gully', to: 'bowl', capacity: 1_900, minutes: 7 },
  { name: 'Tur', kind: 'chair_lift', from: 'saddle', to: 'peak', capacity: 1_200, minutes: 8 },
  { name: 'Pikhta', kind: 'chair_lift', from: 'forest', to: 'ridge', capacity: 1_800, minutes: 6 },
  { name: 'Terrasa', kind: 'chair_lift', from: 'forest', to: 'terrace', capacity: 2_100, minutes: 9 },
  { name: 'Greben', kind: 't_bar', from: 'terrace', to: 'crest', capacity: 1_100, minutes: 6 },
  { name: 'Strela', kind: 'drag_lift', from: 'plateau', to: 'forest', capacity: 1_000, minutes: 5 },
];

export interface SampleSlope {
  readonly name: string;
  readonly difficulty: SlopeDetails['difficulty'];
  readonly from: PlaceName;
  readonly to: PlaceName;
  /** How far it swings out from the straight line, in degrees; negative: to the other side. */
  readonly bend: number;
}

const slope = (
  name: string,
  difficulty: SlopeDetails['difficulty'],
  from: PlaceName,
  to: PlaceName,
  bend: number,
): SampleSlope => ({ name, difficulty, from, to, bend });

export const sampleSlopes: readonly SampleSlope[] = [
  slope('Yasli', 'novice', 'meadow', 'plateau', 0.0004),
  slope('Pervaya', 'novice', 'nursery', 'plateau', 0.0006),
  slope('Lugovaya', 'novice', 'nursery', 'meadow', -0.0004),
  slope('Derevnya', 'easy', 'plateau', 'village', 0.003),
  slope('Lavanda', 'intermediate', 'plateau', 'village', -0.002),
  slope('Ruchey', 'advanced', 'plateau', 'village', 0.0008),
  slope('Yavor', 'easy', 'ridge', 'plateau', 0.003),
  slope('Olen', 'intermediate', 'ridge', 'plateau', -0.0022),
  slope('Lis', 'intermediate', 'ridge', 'plateau', 0.0012),
  slope('Barsuk', 'advanced', 'ridge', 'plateau', -0.0008),
  slope('Pikhta', 'easy', 'ridge', 'forest', 0.002),
  slope('Sosna', 'intermediate', 'ridge', 'forest', -0.001),
  slope('Ovrag', 'advanced', 'ridge', 'gully', 0.0012),
  slope('Severnaya', 'intermediate', 'ridge', 'gully', -0.002),
  slope('Prima', 'advanced', 'peak', 'ridge', 0.0025),
  slope('Korona', 'expert', 'peak', 'ridge', -0.0012),
  slope('Turya Tropa', 'intermediate', 'peak', 'saddle', 0.002),
  slope('Kuluar', 'expert', 'peak', 'saddle', -0.0014),
  slope('Krugozor', 'easy', 'peak', 'ridge', -0.0045),
  slope('Tsirk', 'freeride', 'peak', 'bowl', 0.0035),
  slope('Edelweiss', 'easy', 'saddle', 'bowl', 0.0025),
  slope('Gorechavka', 'intermediate', 'saddle', 'bowl', -0.0015),
  slope('Lavinnaya', 'freeride', 'saddle', 'bowl', 0.0008),
  slope('Medvezhya', 'intermediate', 'bowl', 'gully', 0.0016),
  slope('Malinnik', 'easy', 'bowl', 'gully', -0.0022),
  slope('Dolgaya', 'easy', 'gully', 'plateau', 0.0012),
  slope('Terrasa', 'easy', 'terrace', 'forest', 0.0026),
  slope('Skalnaya', 'advanced', 'terrace', 'forest', -0.0012),
  slope('Greben', 'intermediate', 'crest', 'terrace', 0.0012),
  slope('Lesnaya', 'easy', 'forest', 'plateau', -0.0014),
];

const station = (key: PlaceName, name: string) => {
  const [longitude, latitude, altitudeM] = places[key];
  return { key, name, longitude, latitude, altitudeM };
};
export const sampleStations = [
  station('village', 'Village'),
  station('plateau', 'Plateau'),
  station('peak', 'Peak'),
] as const;

const POINTS = 12;

/** A line between two places, with a swing; altitudes fall evenly. */
const line = (from: PlaceName, to: PlaceName, bend: number, points: number): number[][] => {
  const [start, end] = [places[from], places[to]];
  const [east, north] = [end[0] - start[0], end[1] - start[1]];
  const length = Math.hypot(east, north);
  return Array.from({ length: points }, (_, n) => {
    const part = n / (points - 1);
    const swing = bend * (Math.sin(part * Math.PI) + 0.25 * Math.sin(part * Math.PI * 4));
    return [
      Number((start[0] + east * part - (north / length) * swing).toFixed(6)),
      Number((start[1] + north * part + (east / length) * swing).toFixed(6)),
      Math.round(start[2] + (end[2] - start[2]) * part),
    ];
  });
};

const EVERY_DAY = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

/** Winters from December to April around a year; in the evening on Fridays and Saturdays for some. */
const schedule = (year: number, isOpenInTheEvening: boolean): Schedule => ({
  seasons: [year - 1, year, year + 1].map((begins) => ({
    from: `${begins}-11-15`,
    until: `${begins + 1}-04-30`,
    hours: [
      { weekdays: [...EVERY_DAY], opens: '08:30', closes: '16:30' },
      ...(isOpenInTheEvening ? [{ weekdays: ['fri' as const, 'sat' as const], opens: '18:00', closes: '22:00' }] : []),
    ],
  })),
  exceptions: [
    {
      from: `${year}-12-31`,
      until: `${year}-12-31`,
      hours: [{ opens: '08:30', closes: '14:00' }],
      note: 'New Year’s Eve',
    },
  ],
});

const common = { description: '', sourceId: null, lengthM: null, bottomAltitudeM: null, topAltitudeM: null };

/** @param year that the winters lie around */
export const liftDetails = (
  { name, kind, from, to, capacity, minutes, hours }: SampleLift,
  year: number,
): LiftDetails => ({
  ...common,
  name,
  kind,
  geometry: { type: 'LineString', coordinates: line(from, to, 0, 2) },
  capacityPerHour: capacity,
  rideMinutes: minutes,
  schedule: schedule(year, hours === 'evening'),
});

const at = <T extends { from: PlaceName; to: PlaceName }>(
  end: 'from' | 'to',
  place: PlaceName,
  all: readonly T[],
): T[] => all.filter((each) => each[end] === place);

/** @param ids of lifts and slopes by what is sampled */
export const slopeDetails = (
  sample: SampleSlope,
  year: number,
  ids: { lift(sample: SampleLift): string; slope(sample: SampleSlope): string },
): SlopeDetails => ({
  ...common,
  name: sample.name,
  difficulty: sample.difficulty,
  geometry: { type: 'LineString', coordinates: line(sample.from, sample.to, sample.bend, POINTS) },
  fromLifts: at('to', sample.from, sampleLifts).map(ids.lift),
  toLifts: at('from', sample.to, sampleLifts).map(ids.lift),
  toSlopes: at('from', sample.to, sampleSlopes).map(ids.slope),
  groomedAt: null,
  schedule: schedule(year, false),
});
