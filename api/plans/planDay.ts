/** The plan of the day. */
import { type Static, Type } from '@sinclair/typebox';
import { addDays, todayIn } from '../../domain/core/dates.ts';
import { DAY_MS, instantOf } from '../../domain/core/instants.ts';
import { Instant, Nullable, OneOf, Uuid } from '../../domain/core/schema.ts';
import { type PlanWish, planWishes } from '../../domain/plans/config.ts';
import { planDay } from '../../domain/plans/plan.ts';
import { difficulties } from '../../domain/resort/slope.ts';
import { restaurants } from '../../projections/catalog/listings.ts';
import { planConfigNow, planConfigRevisions } from '../../projections/plans/config.ts';
import { resortLifts, resortSlopes } from '../../projections/resort/facilities.ts';
import { Guests } from '../catalog/stays.ts';
import { refuseQuery } from '../http/errors.ts';
import { route } from '../http/route.ts';
import { type Asked, groundFor, type NamedSpot, planOf, tablesFor } from './request.ts';
import { DayPlan, dayPlan, Notes, notesOf } from './wire.ts';

/** Days can be planned so far ahead: later, schedules and waits say little. */
const MOST_DAYS_AHEAD = 60;
const ALTERNATIVES = 2;

const query = Type.Object({
  start: Type.Optional({ ...Instant, description: 'By default now.' }),
  end: Type.Optional({
    ...Instant,
    description: 'On the same day at the resort. By default when the lifts that run then close, less a margin.',
  }),
  level: Type.Optional(
    OneOf(difficulties, { default: 'intermediate', description: 'The hardest slopes that the person skis.' }),
  ),
  from: Type.Optional({
    ...Uuid,
    description:
      'The lift at whose lower station, or the slope at whose end the day begins. By default the lowest lift.',
  }),
  to: Type.Optional({ ...Uuid, description: 'The same for its end. By default where it begins.' }),
  wishes: Type.Optional(
    Type.String({
      maxLength: 200,
      description: `Separated by commas: ${planWishes.join(', ')}.`,
      examples: ['lunch,variety'],
    }),
  ),
  guests: Type.Optional({ ...Guests, default: 1, description: 'How many have lunch.' }),
});

/** @throws HttpError 422 */
const wishesIn = (text = ''): readonly PlanWish[] => {
  const words = text.split(',').filter((word) => word !== '');
  const unknown = words.find((word) => !(planWishes as readonly string[]).includes(word));
  if (unknown !== undefined) refuseQuery('wishes', 'enum', `has ${unknown}, which is none of ${planWishes.join(', ')}`);
  return planWishes.filter((wish) => words.includes(wish));
};

/** @throws HttpError 422 for times that cannot be planned */
const timesIn = ({ start, end }: Static<typeof query>, at: string): Pick<Asked, 'start' | 'end'> => {
  const now = Date.parse(at);
  const time = (field: 'start' | 'end', text: string): number => {
    const parsed = Date.parse(text);
    // RFC 3339 allows leap seconds; Date does not.
    return Number.isNaN(parsed) ? refuseQuery(field, 'invalid', 'is not a valid time') : parsed;
  };
  const from = start === undefined ? now : time('start', start);
  const until = end === undefined ? null : time('end', end);
  if (from < now - DAY_MS) refuseQuery('start', 'past', 'is in the past: send the time from which to plan');
  if (from > now + MOST_DAYS_AHEAD * DAY_MS)
    refuseQuery('start', 'too_far', `is more than ${MOST_DAYS_AHEAD} days ahead`);
  if (until !== null && until <= from) refuseQuery('end', 'order', 'must be after start');
  return { start: from, end: until };
};

const Place = Type.Object({ type: OneOf(['lift', 'slope']), id: Uuid, name: Type.String() });
const placeOf = ({ type, id, name }: NamedSpot): Static<typeof Place> => ({ type, id, name });

const plan = route('GET /api/v1/recommendations/plan-day', {
  id: 'planDay',
  access: 'user',
  rate: 'plan',
  summary: 'Plan a day on the mountain',
  description: [
    'Lifts, slopes and lunch with times, the waits to be expected, and why each is there. Only what is open then, by its schedule and by what operators have set; no slope above `level`; back in time for the last lift. The same request gives the same plan while nothing changes.',
    'To plan again from where the person is: the same request with `from` = the lift or slope, `start` = now, and `to` = the place of the first plan. An app does so when a lift or slope of `depends_on` is no longer open: the channels `lift_queues` and `resort` tell it.',
    'A table is booked with the request in `booking`.',
  ].join('\n\n'),
  query,
  reply: Type.Object(
    {
      timezone: Type.String(),
      config_revision: Type.Integer(),
      from: Nullable({ ...Place, description: 'null: no lift runs on that day.' }),
      to: Nullable(Place),
      back_by: Nullable({ ...Instant, description: 'Everybody is back by then.' }),
      notes: Notes,
      /** null: `notes` say why there is none. */
      plan: Nullable(DayPlan),
      alternatives: Type.Array(DayPlan, { description: 'Other plans, which use other slopes where they can.' }),
    },
    { $id: 'PlanOfTheDay' },
  ),
  reads: [resortLifts, resortSlopes, planConfigRevisions, restaurants],
  handle: async ({ query: asked, context: { at } }, app) => {
    const { level = 'intermediate', from, to, guests = 1 } = asked;
    const wanted: Asked = { ...timesIn(asked, at), wishes: wishesIn(asked.wishes), level, from, to, guests };
    const [{ revision, config }, ground] = await Promise.all([planConfigNow(app), groundFor(app, wanted.start, at)]);
    const { timezone } = ground;
    const dayOf = (time: number): string => todayIn(timezone, instantOf(time));
    if (wanted.end !== null && dayOf(wanted.end - 1) > dayOf(wanted.start))
      refuseQuery(
        'end',
        'order',
        `must be on the day of start at the resort, before midnight of ${addDays(dayOf(wanted.start), 1)}`,
      );
    const found = planOf(ground, wanted, config, await tablesFor(app, ground, wanted, at), ALTERNATIVES);
    const head = { timezone, config_revision: revision };
    if (!found)
      return {
        ...head,
        from: null,
        to: null,
        back_by: null,
        notes: notesOf({ notes: ['nothing_open'], possibleAt: null, level }),
        plan: null,
        alternatives: [],
      };
    const { best, alternatives, notes, possibleAt, backBy } = planDay(found.request);
    const offer = { tables: found.tables, guests };
    return {
      ...head,
      from: placeOf(found.from),
      to: placeOf(found.to),
      back_by: backBy === null ? null : instantOf(backBy),
      notes: notesOf({ notes, possibleAt, level }),
      plan: best && dayPlan(best, offer),
      alternatives: alternatives.map((other) => dayPlan(other, offer)),
    };
  },
});

export const planRoutes = [plan];
