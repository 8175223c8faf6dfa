/** Giving passes back while others act on them. */
import { expect, it } from 'vitest';
import { giveBackPass } from '../../commands/passes/refunds.ts';
import { pass } from '../../domain/passes/pass.ts';
import { GUEST } from '../bookings/bookingFixtures.ts';
import { contextOf } from '../kit/context.ts';
import { memoryAggregates } from '../kit/memoryAggregates.ts';
import { issued, moscow, PASS, sold } from './passFixtures.ts';

/** A pass with a deposit is given back; its code is issued inside of that, if so. */
const givenBack = async (isIssuedMeanwhile: boolean) => {
  const memory = memoryAggregates(async ({ type }) => {
    if (type === 'GiveBackPass' && isIssuedMeanwhile) memory.given(`pass-${PASS}`, [issued]);
  });
  memory.given(`pass-${PASS}`, [sold({ depositMinor: 500 })]);
  const context = contextOf(GUEST, 'tourist', moscow(2, '10:00'));
  await giveBackPass({ aggregates: memory }, context, PASS, null);
  const state = memory.stateOf(pass, PASS);
  return state.status === 'open' && { isEnded: state.ended !== null, cardReturned: state.cardReturned };
};

it('the deposit of a card that nobody has comes back with the pass', async () => {
  expect(await givenBack(false)).toEqual({ isEnded: true, cardReturned: true });
});

it('the deposit of a card that was handed out at the same moment stays until the card comes back', async () => {
  expect(await givenBack(true)).toEqual({ isEnded: true, cardReturned: false });
});
