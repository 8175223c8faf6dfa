import { describe, expect, it } from 'vitest';
import { type AccountCommand, account } from '../../domain/accounts/account.ts';
import type { AccountEvent } from '../../domain/accounts/accountEvents.ts';
import { type IdentityEvent, identity, kindOf, normalised } from '../../domain/accounts/identity.ts';
import { specification } from '../kit/given.ts';

const ANNA = '018f0000-0000-7000-8000-00000000000a';
const BORIS = '018f0000-0000-7000-8000-00000000000b';
const REQUEST = '018f0000-0000-7000-8000-0000000000e0';
const FORMER = '018f0000-0000-5000-8000-0000000000f0';

describe('account', () => {
  const given = specification(account);
  const anna = {
    role: 'tourist',
    email: 'anna@example.test',
    phone: null,
    firstName: 'Anna',
    lastName: 'Orlova',
    language: 'en',
    passwordHash: '$argon2id$…',
  } as const;
  const opened: AccountEvent = { type: 'AccountOpened', data: anna };
  const byPhone: AccountEvent = {
    type: 'AccountOpened',
    data: { ...anna, email: null, phone: '+79990000001', passwordHash: null },
  };

  it('opens once', () => {
    given([])
      .when({ type: 'OpenAccount', ...anna })
      .thenOnce([opened]);
  });
  it('cannot be opened again for somebody else', () => {
    given([opened])
      .when({ type: 'OpenAccount', ...anna, role: 'admin' })
      .then('conflict');
  });
  it('needs an identifier to sign in with', () => {
    given([])
      .when({ type: 'OpenAccount', ...anna, email: null })
      .then('invalid');
    given([])
      .when({ type: 'OpenAccount', ...anna, passwordHash: null })
      .then('invalid');
    given([])
      .when({ type: 'OpenAccount', ...anna, email: null, phone: '+79990000001', passwordHash: null })
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
        email: { value: 'a.orlova@example.test', former: FORMER },
        phone: { value: '+79990000001', former: null },
      })
      .thenOnce([
        { type: 'EmailChanged', data: { email: 'a.orlova@example.test', former: FORMER } },
        { type: 'PhoneChanged', data: { phone: '+79990000001', former: null } },
      ]);
  });
  it('keeps at least one identifier to sign in with', () => {
    given([opened])
      .when({ type: 'ChangeProfile', email: { value: null, former: FORMER } })
      .then('invalid');
    given([byPhone])
      .when({ type: 'ChangeProfile', phone: { value: null, former: FORMER } })
      .then('invalid');
    given([byPhone])
      .when({
        type: 'ChangeProfile',
        email: { value: 'anna@example.test', former: null },
        phone: { value: null, former: FORMER },
      })
      .then('invalid');
    given([opened])
      .when({
        type: 'ChangeProfile',
        email: { value: null, former: FORMER },
        phone: { value: '+79990000001', former: null },
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
      { type: 'OpenAccount', ...anna },
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

  it('links an identity at a provider once, which counts as a way to sign in', () => {
    const link = { provider: 'yandex', identityId: FORMER };
    const linked: AccountEvent = { type: 'ProviderLinked', data: link };
    const nobody = { ...anna, email: null, passwordHash: null };
    given([])
      .when({ type: 'OpenAccount', ...nobody, link })
      .thenOnce([{ type: 'AccountOpened', data: nobody }, linked]);
    given([opened])
      .when({ type: 'LinkProvider', ...link })
      .thenOnce([linked]);
    given([opened, linked])
      .when({ type: 'ChangeProfile', email: { value: null, former: null } })
      .then([{ type: 'EmailChanged', data: { email: null, former: null } }]);
  });
  it('has a verified address from its opening, or once it was proved', () => {
    expect(given([opened]).state).toMatchObject({ emailVouched: true });
    expect(given([byPhone]).state).toMatchObject({ emailVouched: false });
    const changed: AccountEvent = { type: 'EmailChanged', data: { email: 'x@example.test', former: FORMER } };
    expect(given([opened, changed]).state).toMatchObject({ emailVouched: false });
    const verified: AccountEvent = { type: 'EmailVerified', data: {} };
    given([opened, changed]).when({ type: 'VerifyEmail', email: 'x@example.test' }).thenOnce([verified]);
    expect(given([opened, changed, verified]).state).toMatchObject({ emailVouched: true });
    given([opened]).when({ type: 'VerifyEmail', email: 'anna@example.test' }).then([]);
  });

  it('is not verified by the proof of an address that it does not have any more', () => {
    const changed: AccountEvent = { type: 'EmailChanged', data: { email: 'y@example.test', former: FORMER } };
    given([opened, changed]).when({ type: 'VerifyEmail', email: 'x@example.test' }).then('conflict');
  });

  it('does nothing before it was opened', () => {
    const commands: AccountCommand[] = [
      { type: 'LinkProvider', provider: 'yandex', identityId: FORMER },
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
      emailVouched: false,
      links: [{ provider: 'yandex', identityId: FORMER }],
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

describe('identity', () => {
  const given = specification(identity);
  const claimed: IdentityEvent = { type: 'IdentityClaimed', data: { accountId: ANNA } };
  const released: IdentityEvent = { type: 'IdentityReleased', data: { accountId: ANNA } };

  it('belongs to one account', () => {
    given([]).when({ type: 'ClaimIdentity', accountId: ANNA }).thenOnce([claimed]);
    given([claimed]).when({ type: 'ClaimIdentity', accountId: BORIS }).then('identity_taken');
  });
  it('is released by its holder only', () => {
    given([claimed]).when({ type: 'ReleaseIdentity', accountId: ANNA }).thenOnce([released]);
    given([claimed]).when({ type: 'ReleaseIdentity', accountId: BORIS }).then([]);
  });
  it('can have another holder afterwards', () => {
    given([claimed, released])
      .when({ type: 'ClaimIdentity', accountId: BORIS })
      .then([{ type: 'IdentityClaimed', data: { accountId: BORIS } }]);
  });
});

describe('identifiers', () => {
  it.each([
    ['email', ' Anna@Example.TEST ', 'anna@example.test'],
    ['email', 'anna', null],
    ['email', 'anna@example', null],
    ['email', 'a b@example.test', null],
    ['email', `${'a'.repeat(250)}@example.test`, null],
    ['phone', '+7 (999) 000-00-01', '+79990000001'],
    ['phone', '0079990000001', '+79990000001'],
    ['phone', '89990000001', null],
    ['phone', '+0999000000', null],
    ['phone', '+7999000000100000', null],
    ['phone', '', null],
  ] as const)('%s %j is %j', (kind, text, expected) => {
    expect(normalised(kind, text)).toBe(expected);
  });
  it('distinguishes e-mail addresses from phone numbers', () => {
    expect(kindOf('anna@example.test')).toBe('email');
    expect(kindOf('+79990000001')).toBe('phone');
  });
});
