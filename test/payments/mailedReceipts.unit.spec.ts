/** The e-mails to a payer: what was paid or given back, and that they are no fiscal receipts. */
import { expect, it } from 'vitest';
import { receiptMail } from '../../commands/payments/mailedReceipts.ts';

const given = {
  id: 'x',
  paymentId: '0190d1f0-0000-7000-8000-000000000001',
  payment: { method: 'card', currency: 'RUB', hasReceipt: true },
  lines: [
    { title: 'Отель «Роза» (K7QM2XWD)', amountMinor: 1_200_000 },
    { title: 'Подъёмник', amountMinor: 50 },
  ],
  at: '2026-03-01T10:00:00.000Z',
} as const;
/** Numbers are written with spaces that do not break. */
const plain = (texts: readonly string[]): string => texts.join('\n').replaceAll(/[\u00a0\u202f]/g, ' ');

it('lists what was paid, in the language of the payer', () => {
  const mail = receiptMail({ ...given, what: 'paid', language: 'ru' });
  expect(plain([mail.subject])).toBe('Оплата получена: 12 000,50 ₽');
  const text = plain(mail.paragraphs);
  expect(text).toContain('Отель «Роза» (K7QM2XWD): 12 000 ₽\nПодъёмник: 0,50 ₽\nВсего: 12 000,50 ₽');
  expect(text).toContain('Способ оплаты: банковская карта');
  expect(text).toContain(given.paymentId);
  expect(text).toContain('Чек присылает платёжный сервис');
  expect(mail).toMatchObject({ marketing: false, expiresAt: '2026-03-04T10:00:00.000Z' });
});

it('promises no receipt where there is none, and says that a bank takes its time', () => {
  const { hasReceipt: _, ...payment } = given.payment;
  const mail = receiptMail({ ...given, payment: { ...payment, method: 'sbp' }, what: 'refunded', language: 'en' });
  expect(mail.subject).toContain('Refund made');
  expect(plain(mail.paragraphs)).not.toContain('sends the receipt');
  expect(plain(mail.paragraphs)).toContain('may take some days');
});
