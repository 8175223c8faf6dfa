import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AccountCommand, account } from '../../domain/accounts/account.ts';
import type { AccountEvent } from '../../domain/accounts/accountEvents.ts';
import { asCompared, type IdentityEvent, identity, kindOf, normalised } from '../../domain/accounts/identity.ts';
import { opensByLink } from '../../domain/accounts/signInWays.ts';
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

  const toTourist: AccountEvent = { type: 'RoleGranted', data: { role: 'tourist' } };
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

  const link = { provider: 'yandex', identityId: FORMER };
  const linked: AccountEvent = { type: 'ProviderLinked', data: { ...link, byHolder: true } };
  const linkedByEmail: AccountEvent = { type: 'ProviderLinked', data: link };
  const linking = { type: 'LinkProvider', ...link, asOf: 1 } as const;
  const byWord = { ...linking, byEmail: anna.email };

  it('links an identity at a provider once, which counts as a way to sign in', () => {
    const nobody = { ...anna, email: null, passwordHash: null };
    given([])
      .when({ type: 'OpenAccount', asOf: 0, ...nobody, link })
      .thenOnce([{ type: 'AccountOpened', data: nobody }, linked]);
    given([opened])
      .when({ ...linking, byEmail: null })
      .thenOnce([linked]);
    given([opened, linked])
      .when({ type: 'ChangeProfile', email: { value: null, former: null, asOf: 2 } })
      .then([{ type: 'EmailChanged', data: { email: null, former: null } }]);
  });
  describe('whose e-mail address a provider knows', () => {
    it('is linked by that, while it is a tourist with this verified address', () => {
      given([opened]).when(byWord).thenOnce([linkedByEmail]);
      given([opened])
        .when({ ...byWord, byEmail: 'other@example.test' })
        .then('unavailable');
    });
    it.each(['admin', 'hotelier'] as const)('is linked only by its person when it is %s', (role) => {
      const mighty: AccountEvent = { type: 'AccountOpened', data: { ...anna, role } };
      given([mighty]).when(byWord).then('sign_in_to_link');
      given([mighty, { type: 'ErasureRequested', data: { dueAt: '2026-03-01T00:00:00.000Z', role } }, toTourist])
        .when(byWord)
        .then('sign_in_to_link');
      given([mighty])
        .when({ ...linking, byEmail: null })
        .thenOnce([linked]);
    });
    it('is opened by that link only until it gets a role; then its person links it again', () => {
      const promoted: AccountEvent[] = [opened, linkedByEmail, { type: 'RoleGranted', data: { role: 'hotelier' } }];
      const { state } = given(promoted);
      expect(state.status === 'open' && state.links.map((each) => opensByLink(state, each))).toEqual([false]);
      given(promoted)
        .when({ ...linking, byEmail: null, asOf: 2 })
        .thenOnce([linked]);
    });
    it('was opened by it where nothing else could', () => {
      const bare: AccountEvent = { type: 'AccountOpened', data: { ...anna, passwordHash: null } };
      const { state } = given([bare, linkedByEmail]);
      expect(state).toMatchObject({ links: [{ ...link, byHolder: true }] });
    });
  });

  it('removes each way to sign in but the last', () => {
    const without = (id: string, asOf: number) => ({ type: 'RemoveSignInMethod', id, former: null, asOf }) as const;
    given([opened, linked])
      .when(without('password', 2))
      .then([{ type: 'PasswordRemoved', data: {} }]);
    given([opened, linked])
      .when(without('email', 2))
      .then([{ type: 'EmailChanged', data: { email: null, former: null } }]);
    given([opened, linked])
      .when(without(FORMER, 2))
      .then([{ type: 'ProviderUnlinked', data: link }]);
    given([opened]).when(without('password', 1)).then('last_way_in');
    given([opened]).when(without('email', 1)).then('last_way_in');
    given([byPhone]).when(without('phone', 1)).then('last_way_in');
    given([opened]).when(without(FORMER, 1)).then('not_found');
    given([opened, linked]).when(without('email', 1)).then('unavailable');
  });
  it('ends every identity provider with a new password, if the person wants that', () => {
    given([opened, linked])
      .when({ type: 'ChangePassword', passwordHash: 'x', unlinksProviders: true })
      .then([
        { type: 'ProviderUnlinked', data: link },
        { type: 'PasswordChanged', data: { passwordHash: 'x' } },
        { type: 'TokensRevoked', data: { tokenVersion: 1 } },
      ]);
  });
  it('adds no identifier on a claim that was lost meanwhile', () => {
    const voided: AccountEvent = { type: 'ClaimVoided', data: { identityId: FORMER } };
    const email = { value: 'x@example.test', former: null };
    given([opened]).when({ type: 'VoidClaim', identityId: FORMER, asOf: 1 }).then([voided]);
    given([opened]).when({ type: 'VoidClaim', identityId: FORMER, asOf: 0 }).then('unavailable');
    given([opened, voided])
      .when({ type: 'ChangeProfile', email: { ...email, asOf: 1 } })
      .then('unavailable');
    given([opened, voided])
      .when({ ...linking, byEmail: null })
      .then('unavailable');
    // An account that was never opened has claims, too.
    given([]).when({ type: 'VoidClaim', identityId: FORMER, asOf: 0 }).then([voided]);
    given([voided])
      .when({ type: 'OpenAccount', asOf: 0, ...anna })
      .then('unavailable');
    given([voided])
      .when({ type: 'OpenAccount', asOf: 1, ...anna })
      .then([opened]);
  });
  it('loses an address that it has not proved to an account that has', () => {
    const entered: AccountEvent = { type: 'EmailChanged', data: { email: 'x@example.test', former: null } };
    const yielding = { type: 'YieldEmail', email: 'x@example.test', former: FORMER, by: 'provider' } as const;
    const lost: AccountEvent = { type: 'EmailChanged', data: { email: null, former: FORMER, provedElsewhere: true } };
    given([byPhone, entered]).when(yielding).then([lost]);
    given([byPhone, entered, { type: 'EmailVerified', data: {} }])
      .when(yielding)
      .then('identity_taken');
    given([byPhone]).when(yielding).then('unavailable');
    const admin: AccountEvent[] = [byPhone, entered, { type: 'RoleGranted', data: { role: 'admin' } }];
    given(admin).when(yielding).then('identity_taken');
    given(admin)
      .when({ ...yielding, by: 'person' })
      .then([lost]);
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

describe('identity', () => {
  const given = specification(identity);
  const claimed: IdentityEvent = { type: 'IdentityClaimed', data: { accountId: ANNA } };
  const released: IdentityEvent = { type: 'IdentityReleased', data: { accountId: ANNA } };

  const byBoris: IdentityEvent = { type: 'IdentityClaimed', data: { accountId: BORIS } };
  it('is claimed as of the claim that was read', () => {
    given([]).when({ type: 'ClaimIdentity', accountId: ANNA, asOf: 0 }).then([claimed]);
    given([claimed]).when({ type: 'ClaimIdentity', accountId: BORIS, asOf: 0 }).then('unavailable');
    given([claimed]).when({ type: 'ClaimIdentity', accountId: BORIS, asOf: 1 }).then([released, byBoris]);
    given([claimed, released]).when({ type: 'ClaimIdentity', accountId: BORIS, asOf: 1 }).then([byBoris]);
    // Claiming again makes what was decided on the first claim outdated.
    given([claimed]).when({ type: 'ClaimIdentity', accountId: ANNA, asOf: 1 }).then([claimed]);
  });
  it('is released by its holder only, and only the claim that was read', () => {
    given([claimed]).when({ type: 'ReleaseIdentity', accountId: ANNA, asOf: 1 }).thenOnce([released]);
    given([claimed]).when({ type: 'ReleaseIdentity', accountId: BORIS, asOf: 1 }).then([]);
    given([claimed, claimed]).when({ type: 'ReleaseIdentity', accountId: ANNA, asOf: 1 }).then([]);
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
    ['phone', '+7\u00a0999\u00a0000\u00a000\u00a001', '+79990000001'],
    ['phone', '\uff0b79990000001', null],
    ['email', 'айгуль@почта.рф', 'айгуль@почта.рф'],
    ['email', 'anna@xn--80a1acny.xn--p1ai', 'anna@xn--80a1acny.xn--p1ai'],
    ['email', '\uff41dmin@demo.test', null],
    ['email', 'ho\u017ftel@example.test', null],
    ['email', '\u212aate@example.test', null],
    ['email', 'jos\u0065\u0301@example.test', null],
    ['email', 'stra\u00dfe@example.test', null],
    ['email', '\u0131da@example.test', null],
    ['email', '\u00c9mile@example.test', null],
    ['email', 'émile@example.test', 'émile@example.test'],
    ['email', 'anna@\uff45xample.test', null],
    ['email', 'anna@example\u3002test', null],
    ['email', 'anna@faß.de', null],
    ['email', 'anna\u200b@example.test', null],
    ['email', 'anna@exam\u00adple.test', null],
    ['email', '\u00a0anna@example.test', null],
    ['email', 'anna@example.test/x', null],
    ['email', 'anna@exa%6dple.test', null],
    ['email', 'anna@0x7f.1', null],
    ['email', 'an\ud800na@example.test', null],
    ['email', '"anna"@example.test', null],
    ['email', 'an\\na@example.test', null],
    ['email', 'anna(home)@example.test', null],
    ['email', "o'hara+{x}~/=?^`|!#$%&*_-@example.test", "o'hara+{x}~/=?^`|!#$%&*_-@example.test"],
  ] as const)('%s %j is %j', (kind, text, expected) => {
    expect(normalised(kind, text)).toBe(expected);
  });
  it('are never changed by what folds Unicode, whatever they are', () => {
    const email = fc.tuple(
      fc.string({ unit: 'grapheme', minLength: 1 }),
      fc.string({ unit: 'grapheme', minLength: 1 }),
    );
    fc.assert(
      fc.property(email, ([local, host]) => {
        const value = normalised('email', `${local}@${host}.test`);
        if (value === null) return;
        for (const folded of [value.normalize('NFKC'), value.toLowerCase(), value.toUpperCase().toLowerCase()])
          expect(folded).toBe(value);
        expect(normalised('email', value)).toBe(value);
        expect(asCompared('email', value)).toBe(value);
      }),
    );
  });
  it('distinguishes e-mail addresses from phone numbers', () => {
    expect(kindOf('anna@example.test')).toBe('email');
    expect(kindOf('+79990000001')).toBe('phone');
  });
});
