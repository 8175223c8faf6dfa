/** The port to an identity provider. The implementation is `oauthProvider.ts`. */

import { accountsPurpose } from '../../domain/accounts/index.ts';
import { OutsideFault } from '../../infra/outsideFault.ts';
import type { ExternalPersonalData } from '../../infra/personalData.ts';

export const identityProviders: ExternalPersonalData = {
  what: 'that the person signs in here, at VK, Yandex or another identity provider that they chose',
  where: 'provider',
  why: accountsPurpose,
  retention: { until: 'the person removes the access there' },
  exported: 'the person sees it there',
  erased: 'the link is given back here; the person ends it there',
  seenBy: ['provider'],
};

export interface AuthorizationRequest {
  /** Where the provider sends the person back to. */
  readonly redirectUri: string;
  readonly state: string;
  /** PKCE: the secret that is needed to use the code. The provider gets its hash first. */
  readonly verifier: string;
}

/** Somebody as the provider knows them. */
export interface ProvidedPerson {
  /** Never changes, and is unique at this provider. */
  readonly subject: string;
  /** null: none, or none that the provider has verified. */
  readonly verifiedEmail: string | null;
  readonly firstName: string;
  readonly lastName: string;
}

export interface IdentityProvider {
  readonly name: string;
  /**
   * Where the person is asked. @throws IdentityProviderError `away`, `misconfigured`
   */
  authorizationUrl(request: AuthorizationRequest): Promise<string>;
  /**
   * The person who came back. A code is valid for one attempt.
   * @param answer the query that they came back with
   * @throws IdentityProviderError
   */
  person(request: AuthorizationRequest, answer: Readonly<Record<string, string>>): Promise<ProvidedPerson>;
}

export type IdentityProviders = ReadonlyMap<string, IdentityProvider>;

/**
 * - `away`: no valid answer came
 * - `misconfigured`: the provider does not accept this system, or is not where the settings say; only an operator can mend it
 * - `refused`: the provider refused the person, or its answer does not prove an identity
 */
type IdentityProviderFault = 'away' | 'misconfigured' | 'refused';

export class IdentityProviderError extends OutsideFault {
  override readonly name = 'IdentityProviderError';
  readonly kind: IdentityProviderFault;
  constructor(kind: IdentityProviderFault, message: string) {
    super(message);
    this.kind = kind;
  }
}
