/** What fiscal receipts (Federal Law 54-FZ) say about a seller for whom the platform sells as an agent. */
import { type Static, Type } from '@sinclair/typebox';
import { OneOf, Personal } from '../core/schema.ts';

/** `none`: the seller pays no value-added tax; otherwise the rate in percent. */
export const vatRates = ['none', 'vat0', 'vat5', 'vat7', 'vat10', 'vat20', 'vat22'] as const;
export const VatRate = OneOf(vatRates);
export type VatRate = Static<typeof VatRate>;

/** The seller may be a person. */
export const TaxDetails = Type.Object({
  /** Tax number: 10 digits for a company, 12 for a person. */
  inn: Personal(Type.String({ pattern: '^(\\d{10}|\\d{12})$', examples: ['7707083893'] })),
  name: Personal(Type.String({ minLength: 1, maxLength: 128 })),
  phone: Personal(Type.String({ pattern: '^\\+\\d{10,15}$', examples: ['+78005553535'] })),
  vat: VatRate,
});
export type TaxDetails = Static<typeof TaxDetails>;

/** The weights of the last of 10, the 11th and the 12th digit, from the right. */
const WEIGHTS = [3, 7, 2, 4, 10, 3, 5, 9, 4, 6, 8];
const fits = (digits: readonly number[]): boolean => {
  const before = digits.slice(0, -1);
  const weights = WEIGHTS.slice(WEIGHTS.length - before.length);
  const sum = before.reduce((total, digit, i) => total + digit * (weights[i] ?? 0), 0);
  return (sum % 11) % 10 === digits.at(-1);
};

/** Whether the check digits of a tax number are right, so that a typing error is found. */
export const isInn = (inn: string): boolean => {
  const digits = [...inn].map(Number);
  // Of twelve digits, the last two are check digits.
  return fits(digits.slice(0, 11)) && fits(digits);
};
