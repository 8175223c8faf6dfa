/** Texts that are cut, where they are cut. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toReceipt as toTbank } from '../../commands/payments/tbank/receipts.ts';
import { toReceipt as toYookassa } from '../../commands/payments/yookassa/receipts.ts';
import { beginningOf } from '../../domain/core/storable.ts';
import { hintOf } from '../../domain/friends/invitedAddress.ts';

it('the beginning of a text is as long as it may be, without half of a character', () => {
  const texts = fc.string({ unit: fc.constantFrom('a', 'я', '🎿', '👨\u200d👩') });
  fc.assert(
    fc.property(texts, fc.nat(30), (text, most) => {
      const begun = beginningOf(text, most);
      expect(text.startsWith(begun)).toBe(true);
      expect(begun.isWellFormed()).toBe(true);
      expect(begun.length).toBeLessThanOrEqual(most);
      expect(begun.length).toBeGreaterThanOrEqual(Math.min(most, text.length) - 1);
    }),
  );
});

it('receipts and hints of addresses have no half characters', () => {
  const name = `${'x'.repeat(127)}🎿 and skis`;
  const receipt = {
    customer: { email: 'guest@example.test' },
    taxation: 'osn',
    vat: 'none',
    companyEmail: 'shop@example.test',
    mode: 'full_payment',
    items: [{ name, amountMinor: 100, supplier: null }],
  } as never;
  expect(toYookassa(receipt, 'RUB').items.map(({ description }) => description)).toEqual(['x'.repeat(127)]);
  expect(toTbank(receipt).Items.map(({ Name }) => Name)).toEqual(['x'.repeat(127)]);
  expect(hintOf('email', '🎿@example.test').isWellFormed()).toBe(true);
});
