/**
 * Saved cards at T-Bank: `AddCard` sends the payer to the bank's page, `RebillId` is what later pays by `Charge`.
 *
 * The documentation names `GetAddCardState` among the methods for shops with forms of their own, and leads payers back
 * from the page to addresses that are set at the terminal, not in the request. Whether a terminal without such forms may
 * ask for the state could not be verified here.
 */
import { LRUCache } from 'lru-cache';
import { validator } from '../../../infra/validation.ts';
import { type NewProviderMethod, ProviderError, type ProviderMethod, type Tokenisation } from '../paymentProvider.ts';
import { CardAdding, CardList, CardState, Customer, RemovedCard } from './api.ts';
import { reasonOf, type TbankCall } from './client.ts';

const isCustomer = validator(Customer);
const isAdding = validator(CardAdding);
const isState = validator(CardState);
const isList = validator(CardList);
const isRemoved = validator(RemovedCard);

export const createCards = (call: TbankCall): Tokenisation => {
  /**
   * By the id of our method, because a repeated `AddCard` would save a second time. Losing an entry does no other harm.
   */
  const begun = new LRUCache<string, ProviderMethod>({ max: 10_000 });
  return {
    tokenise: async (method) => {
      const answer = begun.get(method.methodId) ?? (await tokenise(call, method));
      begun.set(method.methodId, answer);
      return answer;
    },
    ...createKept(call),
  };
};

const tokenise = async (call: TbankCall, { customerId: CustomerKey }: NewProviderMethod): Promise<ProviderMethod> => {
  await call('AddCustomer', isCustomer, { CustomerKey }).catch((error: unknown) => {
    // One who is there already. Who is not will be missed by `AddCard`.
    if (!(error instanceof ProviderError) || error.kind === 'away') throw error;
  });
  const { RequestKey, PaymentURL } = await call('AddCard', isAdding, { CustomerKey, CheckType: '3DSHOLD' });
  return { providerMethodId: RequestKey, status: 'requires_action', redirectUrl: PaymentURL };
};

const createKept = (call: TbankCall): Pick<Tokenisation, 'getMethod' | 'removeMethod'> => ({
  getMethod: async ({ providerMethodId, customerId }) => {
    const state = await call('GetAddCardState', isState, { RequestKey: providerMethodId });
    const status = toMethodStatus(state);
    if (status !== 'active') {
      const reason = status === 'failed' ? (reasonOf(state.ErrorCode) ?? 'rejected') : undefined;
      return { providerMethodId, status, ...(reason && { reason }) };
    }
    const cards = await call('GetCardList', isList, { CustomerKey: customerId });
    const card = cards.find(({ CardId }) => CardId === state.CardId);
    const exp = card?.ExpDate?.replace(/^(\d\d)(\d\d)$/, '$1/$2');
    return {
      providerMethodId,
      status,
      ...(state.RebillId && { token: state.RebillId }),
      ...(card && { last4: card.Pan.slice(-4) }),
      ...(exp && { exp }),
    };
  },
  removeMethod: async ({ customerId: CustomerKey, token }) => {
    const cards = await call('GetCardList', isList, { CustomerKey });
    const card = cards.find(({ RebillId, Status }) => RebillId === token && Status === 'A');
    if (card) await call('RemoveCard', isRemoved, { CustomerKey, CardId: card.CardId });
  },
});

/** A card without `RebillId` was saved, but cannot be charged. */
const toMethodStatus = ({ Status, RebillId }: CardState): ProviderMethod['status'] => {
  if (Status === 'COMPLETED') return RebillId ? 'active' : 'failed';
  if (Status === 'REJECTED') return 'failed';
  return ['NEW', 'FORM_SHOWED', 'THREE_DS_CHECKING'].includes(Status) ? 'requires_action' : 'pending';
};
