/** Who is signed in: the tokens, and their renewal. */

export interface Tokens {
  readonly access_token: string;
  /** Renews the access token; without one, a call fails with 401 when it has expired. */
  readonly refresh_token?: string | undefined;
}

/** Tokens as a reply has them. */
export interface IssuedTokens extends Tokens {
  /** Seconds that the access token lasts. */
  readonly expires_in?: number;
}

/** What provides access tokens. */
export interface Session {
  /** The access token, renewed when it is about to expire; undefined when nobody is signed in. */
  token(): Promise<string | undefined>;
  /** Another token than the one that was refused; undefined when there is none. */
  renew(refused: string | undefined): Promise<string | undefined>;
  /** Takes new tokens, or none after a sign-out. */
  set(tokens: IssuedTokens | undefined): void;
}

export interface SessionOptions {
  readonly tokens?: Tokens | undefined;
  /** Asks the server for new tokens. @throws when they cannot be had now */
  readonly refresh: (refreshToken: string) => Promise<IssuedTokens | 'refused'>;
  /** The tokens have changed; undefined: nobody is signed in any more. */
  readonly onTokens?: ((tokens: Tokens | undefined) => void) | undefined;
}

/** A token is renewed this long before it expires. */
const EARLY_MS = 60_000;

export const createSession = ({ tokens, refresh, onTokens }: SessionOptions): Session => {
  let current: Tokens | undefined = tokens;
  /** Of this device's clock. Unknown for tokens that were stored. */
  let expiresAt = Infinity;
  let renewing: Promise<string | undefined> | undefined;

  const set = (next: IssuedTokens | undefined): void => {
    // The answer to a renewal has no refresh token when the old one stays valid.
    const refresh_token = next && (next.refresh_token ?? current?.refresh_token);
    current = next && { access_token: next.access_token, ...(refresh_token && { refresh_token }) };
    expiresAt = next?.expires_in === undefined ? Infinity : Date.now() + next.expires_in * 1_000;
    onTokens?.(current);
  };

  const renewOnce = async (): Promise<string | undefined> => {
    const asked = current?.refresh_token;
    if (!asked) return undefined;
    const renewed = await refresh(asked);
    // Somebody signed in or out meanwhile.
    if (current?.refresh_token !== asked) return current?.access_token;
    set(renewed === 'refused' ? undefined : renewed);
    return current?.access_token;
  };
  /** One renewal for all that ask meanwhile. */
  const renewal = (): Promise<string | undefined> => {
    renewing ??= renewOnce().finally(() => {
      renewing = undefined;
    });
    return renewing;
  };

  return {
    token: async () => {
      const isEnding = Date.now() > expiresAt - EARLY_MS;
      if (!isEnding || !current?.refresh_token) return current?.access_token;
      // The old one may still work, and what it is used for then tells.
      return renewal().catch(() => current?.access_token);
    },
    renew: (refused) =>
      current && current.access_token !== refused ? Promise.resolve(current.access_token) : renewal(),
    set,
  };
};

/** Tokens that the application keeps itself: `get` gives a valid one each time that it is asked. */
export const externalSession = (get: () => string | undefined | Promise<string | undefined>): Session => ({
  token: async () => get(),
  renew: async (refused) => {
    const token = await get();
    return token === refused ? undefined : token;
  },
  set: () => undefined,
});
