/** What happens to an account. */
import { type Static, Type } from '@sinclair/typebox';
import type { EventDeclarations, EventsOf } from '../core/decider.ts';
import { Instant, Nullable, Personal, Uuid } from '../core/schema.ts';
import { Role } from './role.ts';

/** BCP 47, language with an optional region: `ru`, `en-GB`. */
export const Language = Type.String({ pattern: '^[a-z]{2}(-[A-Z]{2})?$', examples: ['en'] });
const PersonalText = Personal(Type.String());
const Version = Type.Integer({ minimum: 0 });

/** `former`: the identity stream that is released; null when there was none. `formerClaim`: how often it was claimed. */
const Former = { former: Nullable(Uuid), formerClaim: Type.Optional(Type.Integer({ minimum: 1 })) };

export const accountEvents = {
  AccountOpened: {
    data: Type.Object({
      role: Role,
      email: Nullable(PersonalText),
      phone: Nullable(PersonalText),
      firstName: PersonalText,
      lastName: PersonalText,
      language: Language,
      /** argon2id in PHC format; null: signs in by code or by an identity provider only. */
      passwordHash: Nullable(PersonalText),
    }),
    person: 'stream',
  },
  ProfileChanged: {
    data: Type.Object({
      firstName: Type.Optional(PersonalText),
      lastName: Type.Optional(PersonalText),
      language: Type.Optional(Language),
    }),
    person: 'stream',
  },
  /** `provedElsewhere`: the person of another account has proved that the address is theirs. This one had not. */
  EmailChanged: {
    data: Type.Object({ email: Nullable(PersonalText), ...Former, provedElsewhere: Type.Optional(Type.Literal(true)) }),
    person: 'stream',
  },
  /** The person proved that the address is theirs. */
  EmailVerified: { data: Type.Object({}) },
  PhoneChanged: { data: Type.Object({ phone: Nullable(PersonalText), ...Former }), person: 'stream' },
  /** `isFirst`: the account had none. */
  PasswordChanged: {
    data: Type.Object({ passwordHash: PersonalText, isFirst: Type.Optional(Type.Literal(true)) }),
    person: 'stream',
  },
  /** The account signs in by code or by an identity provider only. */
  PasswordRemoved: { data: Type.Object({}) },
  /**
   * Signs in by an identity provider from now on. `identityId`: the identity stream of who they are there. `byHolder`: the
   * person opened the account with it, or linked it while signed in. Otherwise the provider knew their e-mail address.
   */
  ProviderLinked: {
    data: Type.Object({ provider: Type.String(), identityId: Uuid, byHolder: Type.Optional(Type.Literal(true)) }),
  },
  ProviderUnlinked: { data: Type.Object({ provider: Type.String(), identityId: Uuid }) },
  /** The account had claimed this identifier and did not show it. What still wants to add it has to claim it anew. */
  ClaimVoided: { data: Type.Object({ identityId: Uuid }) },
  /** `requestId`: the role request that it answers. */
  RoleGranted: { data: Type.Object({ role: Role, requestId: Type.Optional(Uuid) }) },
  /**
   * Access tokens of an older version are no longer valid. Sessions end with them, unless `sessionsStay`: then their
   * refresh tokens give access tokens of the new version.
   */
  TokensRevoked: { data: Type.Object({ tokenVersion: Version, sessionsStay: Type.Optional(Type.Boolean()) }) },
  /** One session has ended, such as by signing out on that device. */
  SessionEnded: { data: Type.Object({ sessionId: Uuid }) },
  /**
   * The person wants to be erased at `dueAt`, unless they sign in before. `role`: what they get back then. Until then they
   * are a tourist, so that nothing of theirs is sold.
   */
  ErasureRequested: { data: Type.Object({ dueAt: Instant, role: Role }) },
  /** The person has signed in again. */
  ErasureWithdrawn: { data: Type.Object({}) },
  /** The person is being erased. It can no longer be withdrawn, and nothing new signs in. */
  ErasureBegun: { data: Type.Object({}) },
  /** The personal data was destroyed, and the account is closed for good. */
  PersonErased: { data: Type.Object({}) },
} as const satisfies EventDeclarations;
export type AccountEvent = EventsOf<typeof accountEvents>;

export type Opened = Static<typeof accountEvents.AccountOpened.data>;
/** A person's identity at an identity provider. */
export type ProviderLink = Static<typeof accountEvents.ProviderLinked.data>;
