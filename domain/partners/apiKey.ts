/**
 * A partner's API key: its permissions, the sites it may be used from, and its expiry. Only the hashes of its secrets
 * are stored.
 */
import { type Static, Type } from '@sinclair/typebox';
import { type Decider, type EventDeclarations, type EventsOf, Rejected, requireExisting } from '../core/decider.ts';
import { hasCome, isBefore } from '../core/instants.ts';
import { Instant, Nullable, OneOf } from '../core/schema.ts';

const scopes = ['hotels:read', 'rooms:read', 'availability:read', 'audit:read', 'passes:scan', 'snow:report'] as const;
export type Scope = (typeof scopes)[number];

/** A host name, exact or as `*.example.com` for everything below it. */
const Domain = Type.String({
  pattern: '^(\\*\\.)?([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)(\\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$',
  maxLength: 253,
});

export const ApiKeyDetails = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100 }),
  scopes: Type.Array(OneOf(scopes), { minItems: 1, uniqueItems: true }),
  /** Sites that may use it from a browser; none = any. */
  allowedDomains: Type.Array(Domain, { maxItems: 50, uniqueItems: true }),
  /** null: until it is revoked. */
  expiresAt: Nullable(Instant),
});
export type ApiKeyDetails = Static<typeof ApiKeyDetails>;

/** SHA-256 of a secret in hex. A fast hash will do: the secret is 256 random bits. */
const SecretHash = Type.String({ pattern: '^[0-9a-f]{64}$' });

const apiKeyEvents = {
  ApiKeyCreated: { data: Type.Object({ ...ApiKeyDetails.properties, secretHash: SecretHash }) },
  /** The previous secret stays valid until the next rotation, so that a partner can change over without downtime. */
  ApiKeyRotated: { data: Type.Object({ secretHash: SecretHash }) },
  ApiKeyRevoked: { data: Type.Object({}) },
} as const satisfies EventDeclarations;
export type ApiKeyEvent = EventsOf<typeof apiKeyEvents>;

export type ApiKeyCommand =
  | ({ readonly type: 'CreateApiKey'; readonly secretHash: string; readonly at: string } & ApiKeyDetails)
  | { readonly type: 'RotateApiKey'; readonly secretHash: string }
  | { readonly type: 'RevokeApiKey' };

export interface ApiKey extends Readonly<ApiKeyDetails> {
  readonly status: 'none' | 'active' | 'revoked';
  /** Newest first, at most two. */
  readonly secretHashes: readonly string[];
}

const initial: ApiKey = {
  status: 'none',
  name: '',
  scopes: [],
  allowedDomains: [],
  expiresAt: null,
  secretHashes: [],
};

const decide = (command: ApiKeyCommand, state: ApiKey): ApiKeyEvent[] => {
  switch (command.type) {
    case 'CreateApiKey': {
      const { type, at, ...data } = command;
      if (state.secretHashes[0] === data.secretHash) return [];
      if (state.status !== 'none') throw new Rejected('conflict', 'This API key already exists.');
      if (data.expiresAt !== null && hasCome(data.expiresAt, at))
        throw new Rejected('invalid', 'The expiry of an API key must be in the future.', { fields: ['expires_at'] });
      return [{ type: 'ApiKeyCreated', data }];
    }
    case 'RotateApiKey': {
      requireExisting(state, 'API key');
      if (state.status === 'revoked')
        throw new Rejected('invalid_transition', 'A revoked API key cannot be used again. Create a new one.');
      const { secretHash } = command;
      return state.secretHashes[0] === secretHash ? [] : [{ type: 'ApiKeyRotated', data: { secretHash } }];
    }
    case 'RevokeApiKey':
      requireExisting(state, 'API key');
      return state.status === 'revoked' ? [] : [{ type: 'ApiKeyRevoked', data: {} }];
  }
};

const evolve = (state: ApiKey, event: ApiKeyEvent): ApiKey => {
  switch (event.type) {
    case 'ApiKeyCreated': {
      const { secretHash, ...details } = event.data;
      return { ...details, status: 'active', secretHashes: [secretHash] };
    }
    case 'ApiKeyRotated':
      return { ...state, secretHashes: [event.data.secretHash, ...state.secretHashes.slice(0, 1)] };
    case 'ApiKeyRevoked':
      return { ...state, status: 'revoked', secretHashes: [] };
  }
};

export const apiKey: Decider<ApiKey, ApiKeyCommand, ApiKeyEvent> = {
  category: 'apiKey',
  short: 'people of the resort change it now and then',
  events: apiKeyEvents,
  initial,
  decide,
  evolve,
};

/** Whether the key may be used at an instant (RFC 3339). */
export const isUsable = ({ status, expiresAt }: ApiKey, at: string): boolean =>
  status === 'active' && (expiresAt === null || isBefore(at, expiresAt));

/** Whether a browser on a page of `host` may use the key. */
export const allowsHost = ({ allowedDomains }: Pick<ApiKey, 'allowedDomains'>, host: string): boolean =>
  allowedDomains.length === 0 ||
  allowedDomains.some((domain) => (domain.startsWith('*.') ? host.endsWith(domain.slice(1)) : host === domain));
