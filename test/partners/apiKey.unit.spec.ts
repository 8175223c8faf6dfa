import { describe, expect, it } from 'vitest';
import { allowsHost, apiKey, isUsable } from '../../domain/partners/apiKey.ts';
import { specification } from '../kit/given.ts';

const given = specification(apiKey);
const at = '2026-12-01T10:00:00.000Z';
const hash = (digit: string) => digit.repeat(64);
const details = {
  name: 'Partner',
  scopes: ['hotels:read' as const],
  allowedDomains: ['partner.test', '*.partner.test'],
  expiresAt: '2027-12-01T10:00:00.000Z',
};
const created = { type: 'ApiKeyCreated', data: { ...details, secretHash: hash('a') } } as const;
const rotated = (digit: string) => ({ type: 'ApiKeyRotated', data: { secretHash: hash(digit) } }) as const;
const revoked = { type: 'ApiKeyRevoked', data: {} } as const;
const create = { type: 'CreateApiKey', at, ...created.data } as const;

describe('creating a key', () => {
  it('records it once', () => given([]).when(create).thenOnce([created]));
  it('is refused under the id of another', () =>
    given([created])
      .when({ ...create, secretHash: hash('b') })
      .then('conflict'));
  it('is refused when its expiry is in the past', () =>
    given([])
      .when({ ...create, expiresAt: at })
      .then('invalid'));
});

describe('rotating a key', () => {
  it('adds a secret once', () =>
    given([created])
      .when({ type: 'RotateApiKey', secretHash: hash('b') })
      .thenOnce([rotated('b')]));
  it('keeps the previous secret, and no older one', () => {
    expect(given([created, rotated('b')]).state.secretHashes).toEqual([hash('b'), hash('a')]);
    expect(given([created, rotated('b'), rotated('c')]).state.secretHashes).toEqual([hash('c'), hash('b')]);
  });
  it('needs a key that is not revoked', () => {
    given([])
      .when({ type: 'RotateApiKey', secretHash: hash('b') })
      .then('not_found');
    given([created, revoked])
      .when({ type: 'RotateApiKey', secretHash: hash('b') })
      .then('invalid_transition');
  });
});

describe('revoking a key', () => {
  it('is final, and leaves no secret', () => {
    given([created]).when({ type: 'RevokeApiKey' }).thenOnce([revoked]);
    expect(given([created, revoked]).state).toMatchObject({ status: 'revoked', secretHashes: [] });
  });
  it('needs a key', () => given([]).when({ type: 'RevokeApiKey' }).then('not_found'));
});

describe('using a key', () => {
  const { state } = given([created]);
  it('is possible until it expires or is revoked', () => {
    expect(isUsable(state, at)).toBe(true);
    expect(isUsable(state, '2027-12-01T09:59:59.999Z')).toBe(true);
    expect(isUsable(state, '2027-12-01T10:00:00.000Z')).toBe(false);
    expect(isUsable(given([created, revoked]).state, at)).toBe(false);
    expect(isUsable({ ...state, expiresAt: null }, '2099-01-01T00:00:00Z')).toBe(true);
  });
  it.each([
    ['partner.test', true],
    ['www.partner.test', true],
    ['a.b.partner.test', true],
    ['evilpartner.test', false],
    ['partner.test.evil.test', false],
    ['test', false],
  ])('from a page of %s: %s', (host, allowed) => expect(allowsHost(state, host)).toBe(allowed));
  it('is possible from anywhere when no domain is named', () =>
    expect(allowsHost({ allowedDomains: [] }, 'anywhere.test')).toBe(true));
  it('from a wildcard alone does not include the domain itself', () =>
    expect(allowsHost({ allowedDomains: ['*.partner.test'] }, 'partner.test')).toBe(false));
});
