/** What a guest reads when something cannot be booked. */
import { expect, it } from 'vitest';
import { notBookable } from '../../commands/bookings/offer.ts';
import { TOO_LATE_TO_ASK } from '../../domain/catalog/confirmation.ts';
import { slotReasons } from '../../domain/catalog/slots.ts';
import { unavailableReasons } from '../../domain/catalog/stayRules.ts';

it('says each reason in words, and whether the request is at fault', () => {
  const stay = { words: unavailableReasons, faults: { capacity: 'guests' } } as const;
  expect(notBookable('stay', ['capacity', 'min_stay'], stay)).toMatchObject({
    code: 'invalid',
    fields: ['guests'],
    message: 'This stay cannot be booked: the room is for fewer guests, and a longer stay is required.',
  });
  expect(notBookable('slot', ['off_grid'], { words: slotReasons, faults: {} })).toMatchObject({
    code: 'not_bookable',
    message: 'This slot cannot be booked: times must be full quarters of an hour.',
  });
});

it('says what to do when there is no time to ask the seller', () =>
  expect(notBookable('slot', ['too_late'], { words: slotReasons, faults: {} })).toMatchObject({
    code: 'not_bookable',
    message: TOO_LATE_TO_ASK,
  }));
