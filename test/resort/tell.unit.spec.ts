/** The jobs that tell what changes at lifts and slopes, with the clock in our hands. */
import { expect, it } from 'vitest';
import {
  addFacility,
  changeFacility,
  lifts,
  overrideAll,
  retireFacility,
  slopes,
} from '../../commands/resort/facilities.ts';
import { reportQueue } from '../../commands/resort/queues.ts';
import { tellLift, tellSlope } from '../../commands/resort/tellStates.ts';
import { liftTold, slopeTold } from '../../domain/resort/toldState.ts';
import { contextOf } from '../kit/context.ts';
import { memoryAggregates } from '../kit/memoryAggregates.ts';
import { id, liftOf, slopeOf } from './resortFixtures.ts';

const at = (time: string) => `2027-01-13T${time}.000Z`; // a Wednesday; open from 6:00 to 13:00 UTC
const by = (time: string) => contextOf(id(9), 'admin', at(time));

const world = async () => {
  const deps = { aggregates: memoryAggregates() };
  const { id: liftId } = await addFacility(deps, by('05:00:00'), lifts, liftOf());
  return {
    deps,
    liftId,
    tell: (time: string) => tellLift(deps, by(time), liftId),
    told: async () => (await deps.aggregates.load(liftTold, liftId)).state?.told,
  };
};

it('opens and closes at the minute of the schedule', async () => {
  const { tell, told } = await world();
  expect(await tell('05:50:00')).toEqual({ againAt: at('06:00:00') });
  expect(await told()).toMatchObject({ status: 'scheduled' });
  expect(await tell('06:00:00')).toEqual({ againAt: at('06:15:00') });
  expect(await told()).toMatchObject({ status: 'open', until: at('13:00:00') });
  expect(await tell('12:55:00')).toEqual({ againAt: at('13:00:00') });
  await tell('13:00:00');
  expect(await told()).toMatchObject({ status: 'closed' });
});

it('tells at most every 5 s, and the last state in the end', async () => {
  const { deps, liftId, tell, told } = await world();
  await tell('07:00:00');
  const report = (minutes: number, time: string) =>
    reportQueue(deps, by(time), liftId, 'manual', { people: null, minutes, measuredAt: at(time) });
  await report(5, '07:00:01');
  expect(await tell('07:00:01')).toEqual({ againAt: at('07:00:05') });
  expect(await told()).toMatchObject({ queueMinutes: null });
  await report(8, '07:00:02');
  expect(await tell('07:00:05')).toEqual({ againAt: at('07:15:05') });
  expect(await told()).toMatchObject({ queueMinutes: 8, queueSource: 'manual' });
  expect(await tell('07:29:00')).toEqual({ againAt: at('07:30:02') });
  await tell('07:30:02');
  expect(await told()).toMatchObject({ status: 'open', queueMinutes: null, queueSource: null });
});

it('ends a hold at its time, and says nothing of a retired lift after its end', async () => {
  const { deps, liftId, tell, told } = await world();
  const hold = { status: 'hold', until: at('08:00:00'), reason: 'Wind' } as const;
  await changeFacility(deps, by('07:50:00'), lifts, liftId, { details: {}, override: hold });
  expect(await tell('07:50:00')).toEqual({ againAt: at('08:00:00') });
  expect(await told()).toMatchObject({ status: 'hold', reason: 'Wind' });
  await tell('08:00:00');
  expect(await told()).toMatchObject({ status: 'open', source: 'schedule' });
  await retireFacility(deps, by('09:00:00'), lifts, liftId, { reason: null });
  expect(await tell('09:00:00')).toBeUndefined();
  expect(await told()).toMatchObject({ status: 'closed', source: 'none' });
});

it('closes many at once for wind, again after an interruption, and passes over the retired', async () => {
  const { deps, liftId } = await world();
  const { id: other } = await addFacility(deps, by('05:00:00'), lifts, liftOf({ name: 'Zapoved' }));
  const { id: old } = await addFacility(deps, by('05:00:00'), lifts, liftOf({ name: 'Old' }));
  await retireFacility(deps, by('05:00:00'), lifts, old, { reason: null });
  const wind = { status: 'closed', until: null, reason: 'Wind' } as const;
  await changeFacility(deps, by('07:00:00'), lifts, other, { details: {}, override: wind });
  expect(await overrideAll(deps, by('07:00:00'), lifts, [liftId, other, old], wind)).toEqual([liftId]);
  expect(await overrideAll(deps, by('07:01:00'), lifts, [liftId, other, old], wind)).toEqual([]);
  expect(await overrideAll(deps, by('07:02:00'), lifts, [liftId, other], null)).toHaveLength(2);
});

it('tells of slopes in the same way', async () => {
  const deps = { aggregates: memoryAggregates() };
  const { id: slopeId } = await addFacility(deps, by('05:00:00'), slopes, slopeOf());
  expect(await tellSlope(deps, by('12:59:00'), slopeId)).toEqual({ againAt: at('13:00:00') });
  await tellSlope(deps, by('13:00:00'), slopeId);
  expect((await deps.aggregates.load(slopeTold, slopeId)).state?.told).toMatchObject({ status: 'closed' });
  expect(await tellSlope(deps, by('13:00:00'), id(1))).toBeUndefined();
});
