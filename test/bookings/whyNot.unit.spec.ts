/** What a guest reads when something cannot be booked. */
import { expect, it } from 'vitest';
import { whyNot } from '../../commands/bookings/offer.ts';
import { TOO_LATE_TO_ASK } from '../../domain/catalog/confirmation.ts';
import { unavailableReasons } from '../../domain/catalog/pricing.ts';
import { slotReasons } from '../../domain/catalog/slots.ts';

it('says each reason in words', () => {
  expect(whyNot('stay', ['capacity', 'min_stay'], unavailableReasons)).toBe(
    'This stay cannot be booked: the room is for fewer guests, and a longer stay is required.',
  );
  expect(whyNot('slot', ['off_grid'], slotReasons)).toBe(
    'This slot cannot be booked: times must be full quarters of an hour.',
  );
});

it('says what to do when there is no time to ask the seller', () =>
  expect(whyNot('slot', ['too_late'], slotReasons)).toBe(TOO_LATE_TO_ASK));
