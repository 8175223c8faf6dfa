/** Which operations say what is a favourite of the caller. */
import { expect, it } from 'vitest';
import { routesOf } from '../../api/http/module.ts';
import { modules } from '../../api/modules.ts';

it('lists and details of every kind of thing say whether it is a favourite', () => {
  const marking = routesOf(modules).filter(({ spec }) => JSON.stringify(spec.reply).includes('is_favorite'));
  expect(marking.map(({ id }) => id).toSorted()).toEqual([
    ...['getCompany', 'getEvent', 'getForumTopic', 'getHotel', 'getInstructor', 'getLift', 'getRestaurant', 'getSlope'],
    ...['getTour', 'getTransfer', 'listCompanies', 'listEvents', 'listForumTopics', 'listHotels', 'listInstructors'],
    ...['listLifts', 'listLiftsAtShortPath', 'listOwnEvents', 'listRestaurants', 'listSlopes', 'listTours'],
    ...['listTransfers', 'listWebcams'],
  ]);
  for (const { id, access, spec } of marking)
    expect(access !== 'public' || spec.cache?.shared !== true, `${id} is the same for everybody`).toBe(true);
});
