/** A slope, and where it leads. */
import { type Static, Type } from '@sinclair/typebox';
import { Instant, Nullable, OneOf, Uuid } from '../core/schema.ts';
import { facility } from './facility.ts';
import { LineOrField } from './geometry.ts';
import { FACILITY_FIELDS } from './lift.ts';

export const difficulties = ['novice', 'easy', 'intermediate', 'advanced', 'expert', 'freeride'] as const;

const Ids = (description: string) => Type.Array(Uuid, { maxItems: 50, uniqueItems: true, description });

export const SlopeDetails = Type.Object({
  ...FACILITY_FIELDS,
  difficulty: OneOf(difficulties),
  geometry: LineOrField,
  fromLifts: Ids('The lifts from whose upper stations it is reached.'),
  toLifts: Ids('The lifts whose lower stations are reached from it.'),
  toSlopes: Ids('The slopes that it leads to.'),
  groomedAt: Nullable({ ...Instant, description: 'When it was groomed last.' }),
});
export type SlopeDetails = Static<typeof SlopeDetails>;

export const slope = facility('Slope', SlopeDetails);
