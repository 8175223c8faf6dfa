/**
 * The cards of YooKassa's test mode and what each does. Any expiry in the future and any security code go with them.
 * Source: https://yookassa.ru/developers/payment-acceptance/testing-and-going-live/testing, "Test bank cards".
 */
import type { CancellationDetails } from '../../../commands/payments/yookassa/api.ts';

export interface TestCard {
  readonly number: string;
  readonly brand: string;
  /** The bank asks the payer first (3-D Secure). */
  readonly challenge: boolean;
  /** Why the payment is declined; unset for cards that pay. */
  readonly decline?: CancellationDetails;
}

const card = (number: string, brand: string, rest: Omit<TestCard, 'number' | 'brand'>): TestCard => ({
  number,
  brand,
  ...rest,
});
const declines = (reason: string, numbers: readonly [string, string, string], party = 'payment_network'): TestCard[] =>
  (['MasterCard', 'Visa', 'Mir'] as const).map((brand, index) =>
    card(numbers[index] ?? '', brand, { challenge: reason === '3d_secure_failed', decline: { party, reason } }),
  );

export const DEFAULT_CARD = card('5555555555554477', 'MasterCard', { challenge: true });

export const TEST_CARDS: readonly TestCard[] = [
  DEFAULT_CARD,
  card('4793128161644804', 'Visa', { challenge: true }),
  card('2200000000000004', 'Mir', { challenge: true }),
  card('5555555555554444', 'MasterCard', { challenge: false }),
  card('4111111111111111', 'Visa', { challenge: false }),
  card('2202474301322987', 'Mir', { challenge: false }),
  ...declines('3d_secure_failed', ['5555555555554592', '4839665499603842', '2200000000000012']),
  ...declines('call_issuer', ['5555555555554535', '4926946416239025', '2200000000000020']),
  ...declines('card_expired', ['5555555555554543', '4141435412630840', '2200000000000038']),
  ...declines('fraud_suspected', ['5555555555554568', '4483274282299972', '2200000000000046']),
  ...declines('general_decline', ['5555555555554527', '4889971706588753', '2202202212312379']),
  ...declines('insufficient_funds', ['5555555555554600', '4562265587712390', '2200000000000053']),
  ...declines('invalid_card_number', ['5555555555554618', '4951017853630544', '2201382000000013']),
  ...declines('invalid_csc', ['5555555555554626', '4194180666146368', '2200770212727079']),
  ...declines('issuer_unavailable', ['5555555555554501', '4654130848359150', '2201382000000021']),
  ...declines('payment_method_limit_exceeded', ['5555555555554576', '4565231022577548', '2201382000000039']),
  ...declines('payment_method_restricted', ['5555555555554550', '4233961169071671', '2201382000000047']),
  ...declines('country_forbidden', ['5555555555554584', '4969751510013864', '2201382000000054'], 'yoo_money'),
  ...declines('fraud_suspected', ['5555555555554634', '4119098878796485', '2201696981989955'], 'yoo_money'),
];

const byNumber = new Map(TEST_CARDS.map((testCard) => [testCard.number, testCard]));

/** Finds a test card by number, with or without spaces. Any other number may be a real card and must not be stored. */
export const testCard = (number: string): TestCard | undefined => byNumber.get(number.replaceAll(/[\s-]/g, ''));
