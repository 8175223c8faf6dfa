/** What happens to an account. */
import { type Static, Type } from '@sinclair/typebox';
import type { EventDeclarations, EventsOf } from '../core/decider.ts';
import { Instant, Nullable, Personal, Uuid } from '../core/schema.ts';
import { Role } from './role.ts';

/** BCP 47, language with an optional region: `ru`, `en-GB`. */
export const Language = Type.String({ pattern: '^[a-z]{2}(-[A-Z]{2})?$', examples: ['en'] });
const PersonalText = Personal(Type.String());
const Version = Type.Integer({ minimum: 0 });

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
  /** `former`: the identity stream that is released; null when there was no address. */
  EmailChanged: { data: Type.Object({ email: Nullable(PersonalText), former: Nullable(Uuid) }), person: 'stream' },
  /** The person proved that the address is theirs. */
  EmailVerified: { data: Type.Object({}) },
  PhoneChanged: { data: Type.Object({ phone: Nullable(PersonalText), former: Nullable(Uuid) }), person: 'stream' },
  /** `isFirst`: the account had none. */
  PasswordChanged: {
    data: Type.Object({ passwordHash: PersonalText, isFirst: Type.Optional(Type.Literal(true)) }),
    person: 'stream',
  },
  /** Signs in by an identity provider from now on. `identityId`: the identity stream of who they are there. */
  ProviderLinked: { data: Type.Object({ provider: Type.String(), identityId: Uuid }) },
  /** `requestId`: the role request that it answers. */
  RoleGranted: { data: Type.Object({ role: Role, requestId: Type.Optional(Uuid) }) },
  /**
   * Access tokens of an older version are no longer valid. Sessions end with them, unless `sessionsStay`: then their
   * refresh tokens give access tokens of the new version.
   */
  TokensRevoked: { data: Type.Object({ tokenVersion: Version, sessionsStay: Type.Optional(Type.Boolean()) }) },
  /**
   * The person wants to be erased at `dueAt`, unless they sign in before. `role`: what they get back then. Until then they
   * are a tourist, so that nothing of theirs is sold.
   */
  ErasureRequested: { data: Type.Object({ dueAt: Instant, role: Role }) },
  /** The person has signed in again. */
  ErasureWithdrawn: { data: Type.Object({}) },
  /** It can no longer be withdrawn. */
  ErasureBegun: { data: Type.Object({}) },
  /** The personal data was destroyed, and the account is closed for good. */
  PersonErased: { data: Type.Object({}) },
} as const satisfies EventDeclarations;
export type AccountEvent = EventsOf<typeof accountEvents>;

export type Opened = Static<typeof accountEvents.AccountOpened.data>;
/** A person's identity at an identity provider. */
export type ProviderLink = Static<typeof accountEvents.ProviderLinked.data>;
