/** Whom a request is counted against. */
import { expect, it } from 'vitest';
import { chargesFor, chargesForBody } from '../../api/http/rateLimits.ts';
import { routes } from '../../api/modules.ts';

const named = (key: string) => {
  const route = routes.find((each) => each.key === key);
  if (!route) throw new Error(key);
  return route;
};
const user = { kind: 'user', id: 'anna', role: 'tourist', sells: false, sessionId: 's', provedAt: 0 } as const;

it("people behind one address sign in and refresh without using up each other's limit", () => {
  const login = named('POST /auth/login');
  const chargeOf = (identifier: string, ip = '192.0.2.1') => chargesForBody(login, { identifier }, ip)[0];
  expect(chargesFor(login, null, '192.0.2.1')).toEqual([{ policy: 'address', to: '192.0.2.1' }]);
  expect(chargeOf('anna@x.test')).toMatchObject({ policy: 'login', to: expect.stringMatching(/^192\.0\.2\.1 /) });
  expect(chargeOf(' Anna@x.test ')).toEqual(chargeOf('anna@x.test'));
  expect(chargeOf('boris@x.test')).not.toEqual(chargeOf('anna@x.test'));
  expect(chargeOf('anna@x.test', '192.0.2.2')).not.toEqual(chargeOf('anna@x.test'));
  expect(JSON.stringify(chargeOf('anna@x.test'))).not.toContain('anna');
  const known = chargesForBody(login, { identifier: 'anna@x.test', device_token: 'of her phone' }, '192.0.2.1')[0];
  expect(known).not.toEqual(chargeOf('anna@x.test'));
});

it('who is signed in counts as themselves, whatever the address', () => {
  const hotels = named('GET /api/v1/hotels');
  expect(chargesFor(hotels, user, '192.0.2.1')).toEqual([{ policy: 'user', to: 'anna' }]);
  expect(chargesForBody(hotels, undefined, '192.0.2.1')).toEqual([]);
});

it('an IPv6 network of one customer counts as one address', () => {
  const hotels = named('GET /api/v1/hotels');
  const charge = (ip: string) => chargesFor(hotels, null, ip);
  expect(charge('2001:db8:1:2::5')).toEqual([{ policy: 'anonymous', to: '2001:db8:1:2::/64' }]);
  expect(charge('2001:db8:1:2:9::')).toEqual(charge('2001:db8:1:2::5'));
});

it('a limit by a field of the body names one that is always sent', () => {
  const limited = routes.filter(({ spec }) => spec.rateBy !== undefined);
  expect(limited.length).toBeGreaterThan(0);
  for (const { key, rate, spec } of limited) {
    expect(rate, key).toBeDefined();
    expect(spec.body?.required, key).toContain(spec.rateBy?.[0]);
    for (const name of spec.rateBy ?? []) expect(Object.keys(spec.body?.properties ?? {}), key).toContain(name);
  }
});
