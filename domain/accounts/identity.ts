/**
 * The account that an e-mail address, a phone number or an identity at a provider was claimed for. Each has one stream,
 * named by its keyed fingerprint, so that the stream's expected revision makes it unique. The stream leads to the
 * account and contains no personal data. A claim opens nothing by itself: the account has to show the identifier, too.
 */
import { domainToUnicode } from 'node:url';
import { Type } from '@sinclair/typebox';
import { type Decider, type EventDeclarations, type EventsOf, Outdated } from '../core/decider.ts';
import { Uuid } from '../core/schema.ts';
import { phoneNumber } from './phone.ts';

const identityEvents = {
  IdentityClaimed: { data: Type.Object({ accountId: Uuid }) },
  IdentityReleased: { data: Type.Object({ accountId: Uuid }) },
} as const satisfies EventDeclarations;
export type IdentityEvent = EventsOf<typeof identityEvents>;

/** `asOf`: the number of claims that was read before it was decided on. */
export type IdentityCommand =
  /**
   * The account of a claim before this one does not show the identifier, and cannot come to show it by that claim.
   * Claiming again counts as another claim, so that what was decided on the former one is outdated.
   */
  | { readonly type: 'ClaimIdentity'; readonly accountId: string; readonly asOf: number }
  /** Only its holder releases it, and only this claim: it has no effect when it was claimed since. */
  | { readonly type: 'ReleaseIdentity'; readonly accountId: string; readonly asOf: number };

export interface Identity {
  /** The account that has claimed it; null: free. */
  readonly accountId: string | null;
  /** How often it was claimed. */
  readonly claims: number;
}

const decide = ({ type, accountId, asOf }: IdentityCommand, state: Identity): IdentityEvent[] => {
  switch (type) {
    case 'ClaimIdentity': {
      if (state.claims !== asOf) throw new Outdated();
      const former = state.accountId === accountId ? null : state.accountId;
      return [
        ...(former === null ? [] : [{ type: 'IdentityReleased' as const, data: { accountId: former } }]),
        { type: 'IdentityClaimed', data: { accountId } },
      ];
    }
    case 'ReleaseIdentity':
      return state.accountId === accountId && state.claims === asOf
        ? [{ type: 'IdentityReleased', data: { accountId } }]
        : [];
  }
};

const evolve = ({ claims }: Identity, event: IdentityEvent): Identity => {
  switch (event.type) {
    case 'IdentityClaimed':
      return { accountId: event.data.accountId, claims: claims + 1 };
    case 'IdentityReleased':
      return { accountId: null, claims };
  }
};

export const identity: Decider<Identity, IdentityCommand, IdentityEvent> = {
  category: 'identity',
  short: 'an address changes hands now and then',
  events: identityEvents,
  initial: { accountId: null, claims: 0 },
  decide,
  evolve,
};

export type IdentifierKind = 'email' | 'phone';

const NOT_ASCII = '[^\\p{ASCII}\\s]';
const ATOM = `(?:[\\w!#$%&'*+/=?^\`{|}~-]|${NOT_ASCII})+`;
const LABEL = `(?!-)(?:[A-Za-z0-9-]|${NOT_ASCII}){1,63}(?<!-)`;
/**
 * What an e-mail address looks like wherever one is typed, without `^` and `$`: words with single dots between them, and
 * a domain name, at most 64 and 254 characters (RFC 5321, 4.5.3.1, and RFC 6531). No quotes, escapes, comments and IP
 * addresses, which write one mailbox in several ways.
 */
export const EMAIL_PATTERN = `(?=[^@]{1,64}@.{3,189}$)${ATOM}(?:\\.${ATOM})*@(?:${LABEL}\\.)+(?![0-9]+$)${LABEL}`;
const EMAIL = new RegExp(`^${EMAIL_PATTERN}$`, 'u');
const LONGEST_LOCAL_BYTES = 64;
const LONGEST_BYTES = 254;
const OUTER_SPACE = /^[ \t\r\n]+|[ \t\r\n]+$/g;
/** Characters that are not seen, or have no meaning of their own. */
const UNSEEN = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u;

/**
 * A phone number as it was stored until 0.1: without what separates its digits. Accounts of then still have numbers that are
 * none, or that kept a digit which is dialled only inside the country.
 */
export const formerPhone = (text: string): string => text.replace(/[\s().-]/g, '').replace(/^00/, '+');

/**
 * An identifier in the form in which it is compared: ASCII letters of an e-mail address in lower case, a phone number in
 * E.164. Nothing else of an address is mapped: another character is another mailbox. For look-ups only; what is entered goes
 * through `normalised`.
 */
export const asCompared = (kind: IdentifierKind, text: string): string =>
  kind === 'email'
    ? text.replace(OUTER_SPACE, '').replace(/[A-Z]/g, (letter) => letter.toLowerCase())
    : (phoneNumber(text) ?? formerPhone(text));

const bytesIn = (text: string): number => new TextEncoder().encode(text).length;

const fits = (email: string): boolean =>
  bytesIn(email) <= LONGEST_BYTES && bytesIn(email.slice(0, email.lastIndexOf('@'))) <= LONGEST_LOCAL_BYTES;

/** Whether a domain, in lower case, is what IDNA (UTS 46) makes of it. */
const isMappedDomain = (domain: string): boolean => {
  const url = `http://${domain}/`;
  if (!URL.canParse(url)) return false;
  const { hostname } = new URL(url);
  return hostname === domain || domainToUnicode(hostname) === domain;
};

/**
 * Whether folding of Unicode leaves an e-mail address as it is, in which another system could take it for somebody
 * else's: compatibility forms (full width), case mapping in both directions (the Kelvin sign, the long s), domain names.
 */
const isUnambiguous = (email: string): boolean =>
  !UNSEEN.test(email) &&
  email.normalize('NFKC') === email &&
  email.toLowerCase() === email &&
  email.toUpperCase().toLowerCase() === email &&
  isMappedDomain(email.slice(email.lastIndexOf('@') + 1));

/**
 * An identifier that somebody enters or a provider vouches for, as it is stored: e-mail with ASCII letters in lower case,
 * phone in E.164. Null when it is neither, and for an address that folding of Unicode would change.
 */
export const normalised = (kind: IdentifierKind, text: string): string | null => {
  if (kind === 'phone') return phoneNumber(text);
  const value = asCompared(kind, text);
  return EMAIL.test(value) && fits(value) && isUnambiguous(value) ? value : null;
};

/** The kind of an identifier from the sign-in form: an `@` makes it an e-mail address. */
export const kindOf = (identifier: string): IdentifierKind => (identifier.includes('@') ? 'email' : 'phone');
