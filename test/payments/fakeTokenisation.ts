/** Saving ways to pay with a provider in memory that does what a spec says. */
import {
  type PaymentMethod,
  type PaymentProvider,
  ProviderError,
  type ProviderMethod,
  type Tokenisation,
} from '../../commands/payments/paymentProvider.ts';

export interface FakeTokenisation extends Tokenisation {
  /** What it says of a method from now on. */
  says(methodId: string, status: ProviderMethod['status'], more?: Partial<ProviderMethod>): void;
  /** It does not know methods with this token any more. */
  forgets(token: string): void;
  /** Calls fail as if it did not answer. */
  away: boolean;
  /** Tokens that it was asked to delete, in order. */
  readonly removed: string[];
}

export const referenceTo = (methodId: string): string => `reference-${methodId}`;

/** Saves cards and accounts, no wallets. Its notifications are `{event, id}` with the reference as id. */
export const withTokenisation = <P extends PaymentProvider>(
  provider: P,
): P & { readonly tokenisation: FakeTokenisation } => {
  const saved = new Map<string, ProviderMethod>();
  const removed: string[] = [];
  const find = (providerMethodId: string): ProviderMethod => {
    if (tokenisation.away) throw new ProviderError('away', 'fake: no answer');
    const found = saved.get(providerMethodId);
    if (!found) throw new ProviderError('refused', 'fake: no such method', 'not_found');
    return found;
  };
  const tokenisation: FakeTokenisation = {
    methods: ['card', 'sbp'] satisfies PaymentMethod[],
    away: false,
    removed,
    says: (methodId, status, more = {}) => {
      const providerMethodId = referenceTo(methodId);
      saved.set(providerMethodId, { providerMethodId, status, ...more });
    },
    forgets: (token) => {
      for (const [id, method] of saved) if (method.token === token) saved.delete(id);
    },
    tokenise: async ({ methodId }) => {
      if (tokenisation.away) throw new ProviderError('away', 'fake: no answer');
      const providerMethodId = referenceTo(methodId);
      if (!saved.has(providerMethodId))
        saved.set(providerMethodId, {
          providerMethodId,
          status: 'requires_action',
          redirectUrl: `https://pay.test/${providerMethodId}`,
        });
      return find(providerMethodId);
    },
    getMethod: async ({ providerMethodId }) => find(providerMethodId),
    removeMethod: async ({ providerMethodId, token }) => {
      find(providerMethodId);
      removed.push(token);
    },
  };
  const { verifyNotification } = provider;
  return Object.assign(provider, {
    tokenisation,
    verifyNotification: (...delivery: Parameters<PaymentProvider['verifyNotification']>) => {
      const about = verifyNotification(...delivery);
      return about.providerPaymentId.startsWith('reference-') ? { ...about, subject: 'method' as const } : about;
    },
  });
};
