/** What somebody signs in with: added, removed, lost, verified. */
import { describe, expect, it } from 'vitest';
import type { AccountEvent } from '../../domain/accounts/accountEvents.ts';
import { opensByLink } from '../../domain/accounts/signInWays.ts';
import {
  anna,
  byPhone,
  byWord,
  FORMER,
  given,
  link,
  linked,
  linkedByEmail,
  linking,
  opened,
  toTourist,
} from './accountFixtures.ts';

describe('account', () => {
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
});
