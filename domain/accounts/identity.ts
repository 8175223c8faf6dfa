/**
 * The account that an e-mail address, a phone number or an identity at a provider signs in to. Each has one stream,
 * named by its keyed fingerprint, so that the stream's expected revision makes it unique. The stream leads to the
 * account and contains no personal data.
 */
import { Type } from '@sinclair/typebox';
import { type Decider, type EventDeclarations, type EventsOf, Rejected } from '../core/decider.ts';
import { Uuid } from '../core/schema.ts';

const identityEvents = {
  IdentityClaimed: { data: Type.Object({ accountId: Uuid }) },
  IdentityReleased: { data: Type.Object({ accountId: Uuid }) },
} as const satisfies EventDeclarations;
export type IdentityEvent = EventsOf<typeof identityEvents>;

export type IdentityCommand =
  | { readonly type: 'ClaimIdentity'; readonly accountId: string }
  /** Only its holder releases it. It has no effect when another account has it. */
  | { readonly type: 'ReleaseIdentity'; readonly accountId: string };

export interface Identity {
  /** The account that holds it; null: free. */
  readonly accountId: string | null;
}

const decide = ({ type, accountId }: IdentityCommand, state: Identity): IdentityEvent[] => {
  switch (type) {
    case 'ClaimIdentity':
      if (state.accountId === accountId) return [];
      if (state.accountId !== null)
        throw new Rejected(
          'identity_taken',
          'This e-mail address, phone number or identity belongs to another account.',
        );
      return [{ type: 'IdentityClaimed', data: { accountId } }];
    case 'ReleaseIdentity':
      return state.accountId === accountId ? [{ type: 'IdentityReleased', data: { accountId } }] : [];
  }
};

const evolve = (_state: Identity, event: IdentityEvent): Identity => {
  switch (event.type) {
    case 'IdentityClaimed':
      return { accountId: event.data.accountId };
    case 'IdentityReleased':
      return { accountId: null };
  }
};

export const identity: Decider<Identity, IdentityCommand, IdentityEvent> = {
  category: 'identity',
  events: identityEvents,
  initial: { accountId: null },
  decide,
  evolve,
};

export type IdentifierKind = 'email' | 'phone';

/** The longest valid e-mail address (RFC 5321, 4.5.3.1.3). */
const EMAIL = /^(?=.{3,254}$)[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/;
/** E.164: country code and number, 15 digits at most. */
const PHONE = /^\+[1-9]\d{6,14}$/;

/** Normalises an identifier: e-mail in lower case, phone in E.164. Null when it is neither. */
export const normalised = (kind: IdentifierKind, text: string): string | null => {
  const bare = text.trim().normalize('NFKC');
  const value = kind === 'email' ? bare.toLowerCase() : bare.replace(/[\s().-]/g, '').replace(/^00/, '+');
  return (kind === 'email' ? EMAIL : PHONE).test(value) ? value : null;
};

/** The kind of an identifier from the sign-in form: an `@` makes it an e-mail address. */
export const kindOf = (identifier: string): IdentifierKind => (identifier.includes('@') ? 'email' : 'phone');
