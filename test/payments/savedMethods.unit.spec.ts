import { describe, expect, it } from 'vitest';
import { ERASED, isPersonal, isSecretField } from '../../domain/core/schema.ts';
import {
  isKnown,
  MAX_METHODS,
  methodOf,
  preferenceOf,
  type SavedMethodsEvent,
  savedMethods,
} from '../../domain/payments/savedMethods.ts';
import { id } from '../bookings/bookingFixtures.ts';
import { specification } from '../kit/given.ts';

const given = specification(savedMethods);
const [A, B, C] = [id(1), id(2), id(3)] as const;
const masked = { brand: 'Mir', last4: '4004', exp: '12/40' };

const request = (methodId: string) =>
  ({ methodId, method: 'card', provider: 'yookassa', referenceSecret: `ref-${methodId}` }) as const;
const requested = (methodId: string) => ({ type: 'PaymentMethodRequested', data: request(methodId) }) as const;
const activation = (methodId: string) => ({ methodId, tokenSecret: `token-${methodId}`, ...masked });
const activated = (methodId: string) => ({ type: 'PaymentMethodActivated', data: activation(methodId) }) as const;
const failed = (methodId: string) =>
  ({ type: 'PaymentMethodFailed', data: { methodId, code: '3d_secure_failed' } }) as const;
const chosen = (methodId: string, former: string | null = null) =>
  ({ type: 'DefaultPaymentMethodChanged', data: { methodId, former } }) as const;
const removed = (methodId: string) => ({ type: 'PaymentMethodRemoved', data: { methodId } }) as const;
const forgotten = (methodId: string) => ({ type: 'PaymentMethodForgotten', data: { methodId } }) as const;

/** A is the default, B came later. */
const two: SavedMethodsEvent[] = [requested(A), activated(A), chosen(A), requested(B), activated(B)];
/** The words of one sbp preference. */
const preferred = (methodId: string): SavedMethodsEvent[] => [
  { type: 'PaymentMethodRequested', data: { methodId, method: 'sbp', provider: null, referenceSecret: null } },
  {
    type: 'PaymentMethodActivated',
    data: { methodId, tokenSecret: null, brand: null, last4: null, exp: null },
  },
];

describe('adding a method', () => {
  it('records the request once', () =>
    given([])
      .when({ type: 'RequestMethod', ...request(A) })
      .thenOnce([requested(A)]));
  it('is refused when there are too many, active or not yet confirmed; failed and removed ones take no room', () => {
    const waiting = Array.from({ length: MAX_METHODS }, (_, n) => requested(id(100 + n)));
    const full = [...waiting, activated(id(101))];
    const more = { type: 'RequestMethod', ...request(A) } as const;
    given(full).when(more).then('conflict');
    given(full).when({ type: 'PreferMethod', methodId: A, method: 'sbp' }).then('conflict');
    given([...full, failed(id(100))])
      .when(more)
      .then([requested(A)]);
    given([...full, removed(id(100))])
      .when(more)
      .then([requested(A)]);
  });
  it('makes the first that is active the default', () => {
    given([requested(A)])
      .when({ type: 'ActivateMethod', ...activation(A) })
      .thenOnce([activated(A), chosen(A)]);
    given([requested(A), activated(A), chosen(A), requested(B)])
      .when({ type: 'ActivateMethod', ...activation(B) })
      .thenOnce([activated(B)]);
  });
  it('may fail, once, and keeps no secret then', () => {
    given([requested(A)])
      .when({ type: 'FailMethod', methodId: A, code: '3d_secure_failed' })
      .thenOnce([failed(A)]);
    given([requested(A), activated(A)])
      .when({ type: 'FailMethod', methodId: A, code: null })
      .then([]);
    expect(given([requested(A), failed(A)]).state.methods).toMatchObject([{ status: 'failed', referenceSecret: null }]);
  });
  it('never keeps the placeholder of a secret that was erased', () => {
    const request = { ...requested(A), data: { ...requested(A).data, referenceSecret: ERASED } };
    const activation = { ...activated(A), data: { ...activated(A).data, tokenSecret: ERASED } };
    expect(given([request, activation]).state.methods).toMatchObject([{ referenceSecret: null, tokenSecret: null }]);
    expect(given([requested(A), activated(A)]).state.methods).toMatchObject([
      { referenceSecret: `ref-${A}`, tokenSecret: `token-${A}` },
    ]);
  });
  it('that failed or was removed stays so, whatever the provider says later', () => {
    const late = { type: 'ActivateMethod', ...activation(A) } as const;
    given([requested(A), failed(A)])
      .when(late)
      .then([]);
    given([requested(A), removed(A)])
      .when(late)
      .then([]);
    given([]).when(late).then('not_found');
  });
});

describe('preferring a way to pay that needs no token', () => {
  const prefer = { type: 'PreferMethod', methodId: A, method: 'sbp' } as const;
  it('makes it active at once, one of a kind', () => {
    given([])
      .when(prefer)
      .thenOnce([...preferred(A), chosen(A)]);
    given(preferred(A))
      .when({ ...prefer, methodId: B })
      .then([]);
    expect(preferenceOf(given(preferred(A)).state, 'sbp')).toMatchObject({ methodId: A, provider: null });
    expect(preferenceOf(given(preferred(A)).state, 'wallet')).toBeUndefined();
  });
  it('is another thing than a saved method of the same kind', () => {
    const saved = { ...requested(B), data: { ...requested(B).data, method: 'sbp' as const } };
    given([saved, activated(B), chosen(B)])
      .when(prefer)
      .thenOnce(preferred(A));
  });
  it('is possible again after it was removed', () =>
    given([...preferred(A), removed(A)])
      .when({ ...prefer, methodId: B })
      .then([...preferred(B), chosen(B)]));
});

describe('the default', () => {
  it('is changed once', () =>
    given(two)
      .when({ type: 'SetDefault', methodId: B })
      .thenOnce([chosen(B, A)]));
  it('has to be active, and there', () => {
    given([requested(A)])
      .when({ type: 'SetDefault', methodId: A })
      .then('invalid_transition');
    given([requested(A), failed(A)])
      .when({ type: 'SetDefault', methodId: A })
      .then('invalid_transition');
    given([...two, removed(B)])
      .when({ type: 'SetDefault', methodId: B })
      .then('not_found');
    given([]).when({ type: 'SetDefault', methodId: A }).then('not_found');
  });
  it('passes to the newest other that is active', () => {
    const three = [...two, requested(C)];
    given(three)
      .when({ type: 'RemoveMethod', methodId: A })
      .thenOnce([chosen(B, A), removed(A)]);
    given([...three, activated(C)])
      .when({ type: 'RemoveMethod', methodId: A })
      .then([chosen(C, A), removed(A)]);
    given(three)
      .when({ type: 'RemoveMethod', methodId: B })
      .then([removed(B)]);
    given([...two, chosen(B, A)])
      .when({ type: 'RemoveMethod', methodId: B })
      .then([chosen(A, B), removed(B)]);
  });
  it('goes with the only active method', () => {
    const only = [requested(A), activated(A), chosen(A)];
    given(only)
      .when({ type: 'RemoveMethod', methodId: A })
      .thenOnce([removed(A)]);
    expect(given([...only, removed(A)]).state.defaultId).toBeNull();
  });
  it('is there as long as a method is active, and only one', () => {
    const steps = [...two, chosen(B, A), removed(A), removed(B), requested(C)];
    for (let count = 0; count <= steps.length; count += 1) {
      const { methods, defaultId } = steps.slice(0, count).reduce(savedMethods.evolve, savedMethods.initial);
      // The first is active for the instant between its two events, which are one append.
      if (count === 2) continue;
      expect(methods.some(({ status }) => status === 'active')).toBe(defaultId !== null);
      if (defaultId !== null) expect(methodOf({ methods, defaultId }, defaultId).status).toBe('active');
    }
  });
});

describe('removing a method', () => {
  it('hides it at once, and keeps its secrets until the provider has confirmed the deletion', () => {
    given(two)
      .when({ type: 'RemoveMethod', methodId: B })
      .thenOnce([removed(B)]);
    const { state } = given([...two, removed(B)]);
    expect(state.methods[1]).toMatchObject({ status: 'removed', tokenSecret: `token-${B}` });
    expect(() => methodOf(state, B)).toThrow('This payment method was removed.');
    given([...two, removed(B)])
      .when({ type: 'ForgetMethod', methodId: B })
      .thenOnce([forgotten(B)]);
    expect(given([...two, removed(B), forgotten(B)]).state.methods[1]).toMatchObject({
      status: 'forgotten',
      tokenSecret: null,
      referenceSecret: null,
    });
  });
  it('is possible before it is confirmed and after it failed', () => {
    given([requested(A)])
      .when({ type: 'RemoveMethod', methodId: A })
      .then([removed(A)]);
    given([requested(A), failed(A)])
      .when({ type: 'RemoveMethod', methodId: A })
      .then([removed(A)]);
  });
  it('must exist, and only a removed one can be forgotten', () => {
    given([]).when({ type: 'RemoveMethod', methodId: A }).then('not_found');
    given(two).when({ type: 'ForgetMethod', methodId: B }).then([]);
  });
  it('is final: one that was forgotten is still known, but not there', () => {
    const { state } = given([...two, removed(B), forgotten(B)]);
    expect([isKnown(state, B), isKnown(state, C)]).toEqual([true, false]);
    expect(() => methodOf(state, B)).toThrow('This payment method was removed.');
    expect(savedMethods.decide({ type: 'RemoveMethod', methodId: B }, state)).toEqual([]);
  });
});

it('every secret is encrypted in the log and hidden from auditors', () => {
  const fields = Object.values(savedMethods.events).flatMap(({ data }) => Object.entries(data.properties));
  const secrets = fields.filter(([name]) => /token|reference/i.test(name));
  expect(secrets).toHaveLength(2);
  for (const [name, schema] of secrets) {
    expect(isSecretField(name)).toBe(true);
    expect((schema as { anyOf: { type: string }[] }).anyOf.filter(isPersonal as never)).toHaveLength(1);
  }
});
