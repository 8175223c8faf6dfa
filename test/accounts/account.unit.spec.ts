import { describe, expect, it } from 'vitest';
import type { AccountCommand } from '../../domain/accounts/account.ts';
import type { AccountEvent } from '../../domain/accounts/accountEvents.ts';
import { id } from '../bookings/bookingFixtures.ts';
import { anna, byPhone, FORMER, given, linking, opened } from './accountFixtures.ts';

const REQUEST = '018f0000-0000-7000-8000-0000000000e0';

describe('account', () => {
  it('opens once', () => {
    given([])
      .when({ type: 'OpenAccount', asOf: 0, ...anna })
      .thenOnce([opened]);
  });
  it('cannot be opened again for somebody else', () => {
    given([opened])
      .when({ type: 'OpenAccount', asOf: 0, ...anna, role: 'admin' })
      .then('conflict');
  });
  it('needs an identifier to sign in with', () => {
    given([])
      .when({ type: 'OpenAccount', asOf: 0, ...anna, email: null })
      .then('invalid');
    given([])
      .when({ type: 'OpenAccount', asOf: 0, ...anna, passwordHash: null })
      .then('invalid');
    given([])
      .when({ type: 'OpenAccount', asOf: 0, ...anna, email: null, phone: '+79990000001', passwordHash: null })
      .then([byPhone]);
  });

  it('changes only what is different', () => {
    given([opened])
      .when({ type: 'ChangeProfile', firstName: 'Anya', lastName: 'Orlova', language: 'ru' })
      .thenOnce([{ type: 'ProfileChanged', data: { firstName: 'Anya', language: 'ru' } }]);
    given([opened]).when({ type: 'ChangeProfile' }).then([]);
  });
  it('changes its identifiers and records which identity is released', () => {
    given([opened])
      .when({
        type: 'ChangeProfile',
        email: { value: 'a.orlova@example.test', former: FORMER, asOf: 1 },
        phone: { value: '+79990000001', former: null, asOf: 1 },
      })
      .thenOnce([
        { type: 'EmailChanged', data: { email: 'a.orlova@example.test', former: FORMER } },
        { type: 'PhoneChanged', data: { phone: '+79990000001', former: null } },
      ]);
  });
  it('keeps at least one identifier to sign in with', () => {
    given([opened])
      .when({ type: 'ChangeProfile', email: { value: null, former: FORMER, asOf: 1 } })
      .then('invalid');
    given([byPhone])
      .when({ type: 'ChangeProfile', phone: { value: null, former: FORMER, asOf: 1 } })
      .then('invalid');
    given([byPhone])
      .when({
        type: 'ChangeProfile',
        email: { value: 'anna@example.test', former: null, asOf: 1 },
        phone: { value: null, former: FORMER, asOf: 1 },
      })
      .then('invalid');
    given([opened])
      .when({
        type: 'ChangeProfile',
        email: { value: null, former: FORMER, asOf: 1 },
        phone: { value: '+79990000001', former: null, asOf: 1 },
      })
      .then([
        { type: 'EmailChanged', data: { email: null, former: FORMER } },
        { type: 'PhoneChanged', data: { phone: '+79990000001', former: null } },
      ]);
  });

  const replaced: AccountEvent = { type: 'TokensRevoked', data: { tokenVersion: 1, sessionsStay: true } };
  it('revokes all tokens when the password changes', () => {
    given([opened])
      .when({ type: 'ChangePassword', passwordHash: '$argon2id$new' })
      .then([
        { type: 'PasswordChanged', data: { passwordHash: '$argon2id$new' } },
        { type: 'TokensRevoked', data: { tokenVersion: 1 } },
      ]);
  });
  it('revokes the tokens of a version once', () => {
    given([opened])
      .when({ type: 'RevokeTokens', upTo: 0 })
      .thenOnce([{ type: 'TokensRevoked', data: { tokenVersion: 1 } }]);
  });
  it('says once that a session has ended, and remembers the last twenty', () => {
    const sessions = Array.from({ length: 25 }, (_, nth) => id(100 + nth));
    const end = (sessionId: string) => ({ type: 'EndSession', sessionId }) as const;
    const ended = (sessionId: string): AccountEvent => ({ type: 'SessionEnded', data: { sessionId } });
    const [first = '', last = ''] = [sessions.at(0), sessions.at(-1)];
    given([opened])
      .when(end(first))
      .thenOnce([ended(first)]);
    const { state } = given([opened, ...sessions.map(ended)]);
    expect(state).toMatchObject({ endedSessions: sessions.slice(-20), sessionsSince: 0 });
    given([opened, ended(last)])
      .when(end(last))
      .then([]);
  });
  it('is closed for good when the person is erased', () => {
    const ended: AccountEvent[] = [
      { type: 'TokensRevoked', data: { tokenVersion: 1 } },
      { type: 'PersonErased', data: {} },
    ];
    given([opened]).when({ type: 'ErasePerson' }).thenOnce(ended);
    // A seller's listings close with the role.
    given([{ type: 'AccountOpened', data: { ...anna, role: 'hotelier' } }])
      .when({ type: 'ErasePerson' })
      .thenOnce([{ type: 'RoleGranted', data: { role: 'tourist' } }, ...ended]);
    const commands: AccountCommand[] = [
      { type: 'OpenAccount', asOf: 0, ...anna },
      { type: 'ChangeProfile', firstName: 'Anna' },
      { type: 'GrantRole', role: 'admin' },
    ];
    for (const command of commands)
      given([opened, ...ended])
        .when(command)
        .then('not_found');
  });
  describe('that its person wants erased later', () => {
    const dueAt = '2026-03-01T00:00:00.000Z';
    const seller: AccountEvent = { type: 'AccountOpened', data: { ...anna, role: 'hotelier' } };
    const requested: AccountEvent[] = [
      { type: 'ErasureRequested', data: { dueAt, role: 'hotelier' } },
      { type: 'RoleGranted', data: { role: 'tourist' } },
      { type: 'TokensRevoked', data: { tokenVersion: 1 } },
    ];
    const begun: AccountEvent = { type: 'ErasureBegun', data: {} };

    it('sells nothing meanwhile, and gets its role back when the person signs in', () => {
      given([seller]).when({ type: 'RequestErasure', dueAt }).thenOnce(requested);
      given([seller, ...requested])
        .when({ type: 'WithdrawErasure' })
        .thenOnce([
          { type: 'ErasureWithdrawn', data: {} },
          { type: 'RoleGranted', data: { role: 'hotelier' } },
        ]);
    });
    it('keeps the time of the first request', () => {
      given([seller, ...requested])
        .when({ type: 'RequestErasure', dueAt: '2026-04-01T00:00:00.000Z' })
        .then([]);
    });
    it('cannot be taken back once it has begun', () => {
      given([seller, ...requested])
        .when({ type: 'BeginErasure', dueAt })
        .thenOnce([begun]);
      given([seller, ...requested, begun])
        .when({ type: 'WithdrawErasure' })
        .then('not_found');
    });
    it('begins although nobody requested it, when an operator erases the person', () => {
      given([seller]).when({ type: 'BeginErasure' }).thenOnce([begun]);
      given([seller, begun]).when({ type: 'WithdrawErasure' }).then('not_found');
      given([seller, { type: 'PersonErased', data: {} }])
        .when({ type: 'BeginErasure' })
        .then([]);
    });
    it('gives the account no other identifiers from its beginning on', () => {
      const email = { value: 'x@example.test', former: null };
      given([seller, begun])
        .when({ type: 'ChangeProfile', email: { ...email, asOf: 1 } })
        .then('not_found');
      given([seller, begun])
        .when({ type: 'LinkProvider', provider: 'vk', identityId: FORMER, byEmail: null, asOf: 2 })
        .then('not_found');
    });
    it('is not erased after it was taken back, nor for an earlier request', () => {
      given([seller]).when({ type: 'BeginErasure', dueAt }).then('invalid_transition');
      given([seller, ...requested, { type: 'ErasureWithdrawn', data: {} }])
        .when({ type: 'BeginErasure', dueAt })
        .then('invalid_transition');
      given([seller, ...requested])
        .when({ type: 'BeginErasure', dueAt: '2026-02-01T00:00:00.000Z' })
        .then('invalid_transition');
    });
  });

  it('grants a role once', () => {
    given([opened])
      .when({ type: 'GrantRole', role: 'hotelier' })
      .thenOnce([{ type: 'RoleGranted', data: { role: 'hotelier' } }, replaced]);
  });
  it('replaces the tokens of a former role without ending the sessions, which a later sign-out ends', () => {
    const { state } = given([opened, { type: 'RoleGranted', data: { role: 'hotelier' } }, replaced]);
    expect(state).toMatchObject({ tokenVersion: 1, sessionsSince: 0 });
    for (const upTo of [0, 1])
      given([opened, replaced])
        .when({ type: 'RevokeTokens', upTo })
        .thenOnce([{ type: 'TokensRevoked', data: { tokenVersion: 2 } }]);
  });
  it('grants the role of a request once, whatever role it gets later', () => {
    const granted: AccountEvent = { type: 'RoleGranted', data: { role: 'hotelier', requestId: REQUEST } };
    const grant = { type: 'GrantRole', role: 'hotelier', requestId: REQUEST } as const;
    given([opened]).when(grant).thenOnce([granted, replaced]);
    given([{ type: 'AccountOpened', data: { ...anna, role: 'hotelier' } }])
      .when(grant)
      .thenOnce([granted]);
    given([opened, granted, { type: 'RoleGranted', data: { role: 'tourist' } }])
      .when(grant)
      .then([]);
  });

  it('does nothing before it was opened', () => {
    const commands: AccountCommand[] = [
      { ...linking, byEmail: null },
      { type: 'ChangeProfile', firstName: 'Anna' },
      { type: 'ChangePassword', passwordHash: 'x' },
      { type: 'GrantRole', role: 'admin' },
      { type: 'RevokeTokens', upTo: 0 },
      { type: 'VerifyEmail', email: 'x@example.test' },
      { type: 'ErasePerson' },
    ];
    for (const command of commands) given([]).when(command).then('not_found');
  });

  it('has the state that its events lead to', () => {
    const { state } = given([
      opened,
      { type: 'ProfileChanged', data: { lastName: 'Petrova' } },
      { type: 'EmailChanged', data: { email: 'petrova@example.test', former: FORMER } },
      { type: 'PhoneChanged', data: { phone: '+79990000001', former: null } },
      { type: 'PasswordChanged', data: { passwordHash: '$argon2id$new' } },
      { type: 'TokensRevoked', data: { tokenVersion: 1 } },
      { type: 'RoleGranted', data: { role: 'hotelier' } },
      { type: 'ProviderLinked', data: { provider: 'yandex', identityId: FORMER } },
    ]);
    expect(state).toEqual({
      status: 'open',
      roleChanges: 1,
      grantedRequests: [],
      endedSessions: [],
      emailVouched: false,
      links: [{ provider: 'yandex', identityId: FORMER }],
      identifierRevision: 4,
      role: 'hotelier',
      email: 'petrova@example.test',
      phone: '+79990000001',
      firstName: 'Anna',
      lastName: 'Petrova',
      language: 'en',
      passwordHash: '$argon2id$new',
      tokenVersion: 1,
      sessionsSince: 1,
    });
  });
});
