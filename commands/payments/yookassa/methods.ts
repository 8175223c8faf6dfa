/**
 * Saving cards and accounts at YooKassa without paying: "Zero-amount linking" of
 * https://yookassa.ru/developers/payment-acceptance/scenario-extensions/recurring-payments.
 */
import { validator } from '../../../infra/validation.ts';
import type { NewProviderMethod, PaymentMethod, ProviderMethod, Tokenisation } from '../paymentProvider.ts';
import { ProviderError } from '../paymentProvider.ts';
import { type CreateMethod, SavedMethod } from './api.ts';
import type { Call } from './client.ts';

const TYPES: Readonly<Partial<Record<PaymentMethod, CreateMethod['type']>>> = { card: 'bank_card', sbp: 'sbp' };
const isMethod = validator(SavedMethod);

export const createTokenisation = (call: Call): Tokenisation => ({
  methods: Object.keys(TYPES) as PaymentMethod[],
  tokenise: async (input) =>
    toMethod(await call(isMethod, 'POST', '/payment_methods', input.methodId, fromNewMethod(input))),
  getMethod: async ({ providerMethodId }) =>
    toMethod(await call(isMethod, 'GET', `/payment_methods/${encodeURIComponent(providerMethodId)}`)),
  // There is no operation for it: "how autopayments are turned off is up to you, without our part in it". What we
  // forget the id of can't be charged any more.
  deletes: false,
  removeMethod: async () => undefined,
});

const fromNewMethod = ({ method, returnUrl }: NewProviderMethod): CreateMethod => {
  const type = TYPES[method];
  if (!type) throw new ProviderError('refused', `yookassa: ${method} cannot be saved`, 'unsupported_method');
  return { type, confirmation: { type: 'redirect', return_url: returnUrl } };
};

/** The provider's id of the saved method is also the token that later payments use. */
const toMethod = ({ id, status, card, confirmation }: SavedMethod): ProviderMethod => {
  const providerMethodId = id;
  switch (status) {
    case 'pending': {
      const redirectUrl = confirmation?.confirmation_url;
      return redirectUrl
        ? { providerMethodId, status: 'requires_action', redirectUrl }
        : { providerMethodId, status: 'pending' };
    }
    case 'active':
      return { providerMethodId, status, token: id, ...(card && maskedCard(card)) };
    case 'inactive':
      return { providerMethodId, status: 'failed', reason: 'not_confirmed' };
  }
};

const maskedCard = ({ card_type, last4, expiry_month, expiry_year }: NonNullable<SavedMethod['card']>) => ({
  last4,
  ...(card_type ? { brand: card_type } : {}),
  ...(expiry_month && expiry_year ? { exp: `${expiry_month}/${expiry_year.slice(-2)}` } : {}),
});
