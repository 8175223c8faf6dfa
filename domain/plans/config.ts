/**
 * How days are planned: what counts how much, and what is assumed. The fields are the same in events and on the wire,
 * because a merge patch speaks of them.
 */
import { type Static, Type } from '@sinclair/typebox';
import { Rejected } from '../core/decider.ts';
import { mergePatch } from '../platform/mergePatch.ts';
import { difficulties } from '../resort/slope.ts';

export type Difficulty = (typeof difficulties)[number];

const Points = (what: string) => Type.Number({ minimum: 0, maximum: 1_000, description: `Points for ${what}.` });
const Minutes = (maximum: number, description: string) => Type.Integer({ minimum: 0, maximum, description });
const ClockTime = Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$', examples: ['11:30'] });
const Speed = Type.Number({ minimum: 1, maximum: 60 });

export const PlanConfig = Type.Object({
  weights: Type.Object({
    vertical: Points('each 100 m of descent'),
    distance: Points('each kilometre of slopes'),
    level: Points('a slope of just the level of the person'),
    groomed: Points('a slope that was groomed within a day'),
    table: Points('a lunch at a table that can be booked'),
    waiting: Type.Number({
      minimum: 0,
      maximum: 1_000,
      description:
        'Points that 10 minutes on skis earn, on whatever slope, so that the day is filled; and that 10 minutes of waiting longer than usual cost.',
    }),
  }),
  repeat_factor: Type.Number({
    minimum: 0,
    maximum: 1,
    description: 'What a slope is worth again, as a part of what it was worth the time before on that day.',
  }),
  wish_factor: Type.Number({
    minimum: 1,
    maximum: 10,
    description: 'By how much a wish raises the weight it is about.',
  }),
  back_margin_minutes: Minutes(180, 'So long before the last lift closes everybody is back.'),
  default_wait_minutes: Minutes(60, 'The usual wait: at a lift of which nothing is known.'),
  lunch: Type.Object(
    {
      from: ClockTime,
      until: ClockTime,
      minutes: Type.Integer({ minimum: 15, maximum: 180, description: 'How long it takes.' }),
    },
    { description: 'It begins between `from` and `until`, in the time of the resort.' },
  ),
  speeds_kmh: Type.Object(
    Object.fromEntries(difficulties.map((difficulty) => [difficulty, Speed])) as Record<Difficulty, typeof Speed>,
    { description: 'How fast people come down, with their stops, by the difficulty of the slope.' },
  ),
});
export type PlanConfig = Static<typeof PlanConfig>;

/** Before the first change; what a patch sets to null goes back to it. */
export const defaultPlanConfig: PlanConfig = {
  weights: { vertical: 1, distance: 0.5, level: 1, groomed: 0.5, table: 10, waiting: 2 },
  repeat_factor: 0.7,
  wish_factor: 2,
  back_margin_minutes: 20,
  default_wait_minutes: 5,
  lunch: { from: '11:30', until: '14:30', minutes: 60 },
  speeds_kmh: { novice: 6, easy: 10, intermediate: 14, advanced: 16, expert: 16, freeride: 14 },
};

/** What makes one slope better than another. */
const slopeWeights = ['vertical', 'distance', 'level', 'groomed'] as const;

/** @throws Rejected `invalid` when the parts contradict each other */
export const checkPlanConfig = ({ lunch, weights }: PlanConfig): void => {
  const ofSlopes = slopeWeights.map((weight) => weights[weight]);
  if (!ofSlopes.some((points) => points > 0))
    throw new Rejected(
      'invalid',
      `No slope would be better than another: at least one of the weights ${slopeWeights.join(', ')} must be positive.`,
      { fields: ['weights'] },
    );
  if (lunch.until <= lunch.from)
    throw new Rejected('invalid', `Lunch must begin between two times: ${lunch.until} is not after ${lunch.from}.`, {
      fields: ['lunch/until'],
    });
};

/** The configuration after a merge patch. A member that was removed, at any depth, is the default again. */
export const patchedPlanConfig = (config: PlanConfig, patch: object): PlanConfig =>
  mergePatch(defaultPlanConfig, mergePatch(config, patch)) as PlanConfig;

/** What a person can wish for. Each but `lunch` and `no_drag_lifts` raises a weight. */
export const planWishes = [
  'lunch',
  'vertical',
  'distance',
  'variety',
  'groomed',
  'short_waits',
  'no_drag_lifts',
] as const;
export type PlanWish = (typeof planWishes)[number];

/** The configuration as the wishes change it. */
export const wished = (config: PlanConfig, wishes: readonly PlanWish[]): PlanConfig => {
  const { weights, wish_factor: factor, repeat_factor } = config;
  const by = (wish: PlanWish): number => (wishes.includes(wish) ? factor : 1);
  return {
    ...config,
    weights: {
      ...weights,
      vertical: weights.vertical * by('vertical'),
      distance: weights.distance * by('distance'),
      groomed: weights.groomed * by('groomed'),
      waiting: weights.waiting * by('short_waits'),
    },
    repeat_factor: repeat_factor ** by('variety'),
  };
};
