/** What is kept of reports of queues, from which typical waits are computed. */
import { expect, it } from 'vitest';
import { liftQueueQuarters } from '../../projections/resort/typicalWaits.ts';
import { happened, projection } from '../kit/projected.ts';
import { id } from './resortFixtures.ts';

const rowsAfter = projection(liftQueueQuarters);
const reported = (lift: string, measuredAt: string, of: { minutes?: number; people?: number }) =>
  happened(
    'liftQueue',
    lift,
    {
      type: 'LiftQueueReported',
      data: { source: 'scans', minutes: null, people: null, ...of, measuredAt, validUntil: measuredAt },
    },
    measuredAt,
  );

it('adds up the reports of each quarter of an hour', () => {
  const [first, second] = [id(1), id(2)];
  expect(
    rowsAfter([
      reported(first, '2027-01-13T06:14:59.999Z', { minutes: 4 }),
      reported(first, '2027-01-13T06:15:00.000Z', { minutes: 6 }),
      reported(first, '2027-01-13T09:29:00.000+03:00', { people: 80 }),
      reported(first, '2027-01-14T06:15:00.000Z', { minutes: 1 }),
      reported(second, '2027-01-13T06:15:00.000Z', { people: 10 }),
    ]),
  ).toEqual([
    {
      lift_id: first,
      day: '2027-01-13',
      quarter: 24,
      minutes_reports: 1,
      minutes_total: 4,
      people_reports: 0,
      people_total: 0,
    },
    {
      lift_id: first,
      day: '2027-01-13',
      quarter: 25,
      minutes_reports: 1,
      minutes_total: 6,
      people_reports: 1,
      people_total: 80,
    },
    {
      lift_id: first,
      day: '2027-01-14',
      quarter: 25,
      minutes_reports: 1,
      minutes_total: 1,
      people_reports: 0,
      people_total: 0,
    },
    {
      lift_id: second,
      day: '2027-01-13',
      quarter: 25,
      minutes_reports: 0,
      minutes_total: 0,
      people_reports: 1,
      people_total: 10,
    },
  ]);
});
