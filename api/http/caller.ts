/** Who can call an operation. */
import type { Access } from './access.ts';

/** Someone signed in with an access token. */
export interface User {
  readonly kind: 'user';
  readonly id: string;
  /** One of the roles of accounts. */
  readonly role: string;
  /** Whether the role may offer things in the catalog. */
  readonly sells: boolean;
  readonly sessionId: string;
  /** When this session last proved who it is: by signing in, or by `POST /auth/confirm`. Milliseconds since 1970. */
  readonly provedAt: number;
}
/** A partner's API key. */
export interface Partner {
  readonly kind: 'partner';
  readonly keyId: string;
  readonly scopes: readonly string[];
}
/** The holder of `X-Admin-Token`. */
interface SeedTool {
  readonly kind: 'seed';
}
export type Caller = User | Partner | SeedTool | null;

/** Who a handler can be called by, from the access that its route declares. */
export type CallerOf<A extends Access> = A extends 'user' | 'emergency' | 'provider' | 'admin'
  ? User
  : A extends 'public'
    ? User | null
    : A extends 'seed'
      ? User | SeedTool
      : A extends 'auditor' | 'sensor'
        ? User | Partner
        : A extends `scope:${string}`
          ? Partner
          : null;
