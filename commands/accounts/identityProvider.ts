/** The port to an identity provider. The implementation is `oauthProvider.ts`. */

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
   * Where the person is asked. @throws IdentityProviderError `away`
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

/** `away`: no valid answer came. `refused`: the provider refused, or its answer does not prove an identity. */
export class IdentityProviderError extends Error {
  override readonly name = 'IdentityProviderError';
  readonly kind: 'away' | 'refused';
  constructor(kind: 'away' | 'refused', message: string) {
    super(message);
    this.kind = kind;
  }
}
