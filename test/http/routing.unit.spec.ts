/** Finding the operation of a request: the address first, then the method. */
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { addressesOf } from '../../api/http/route.ts';
import { canonicalPath, createRouting } from '../../api/http/routing.ts';
import { routes } from '../../api/modules.ts';

const mounted = routes.flatMap((route) => addressesOf(route).map((address) => ({ method: route.method, address })));
const routing = createRouting<string>();
for (const { method, address } of mounted) routing.mount(address, method, `${method} ${address}`);

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'];

/** By trying every address: whether one fits, and which fits best, segment by segment from the left. */
const segments = (path: string) =>
  path
    .replace(/(?<=.)\/$/, '')
    .split('/')
    .slice(1);
const fits = (address: string, path: string): boolean => {
  const [names, values] = [segments(address), segments(path)];
  const isAt = (name: string, value = '') => (name.startsWith(':') ? value !== '' : name === value);
  return names.length === values.length && names.every((name, at) => isAt(name, values[at]));
};
const shape = (address: string) => address.replaceAll(/:\w+/g, ':');
const rank = (address: string) =>
  segments(address)
    .map((name) => (name.startsWith(':') ? '1' : '0'))
    .join('');
const expected = (path: string) => {
  const [best] = mounted
    .filter(({ address }) => fits(address, path))
    .sort((a, b) => (rank(a.address) < rank(b.address) ? -1 : 1));
  if (!best) return undefined;
  const declared = mounted.filter(({ address }) => shape(address) === shape(best.address)).map(({ method }) => method);
  return new Set([...declared, ...(declared.includes('GET') ? ['HEAD'] : [])]);
};

/** Ways to write an address, right and wrong ones. */
const variants = (address: string): string[] => {
  const filled = (value: string) => address.replaceAll(/:\w+/g, value);
  const plain = filled('x');
  return [
    plain,
    ...['a.b', 'a%2Fb', ':id', 'x%20y', '.', '..', 'me', 'blocked'].map(filled),
    filled(''),
    `${plain}/`,
    `${plain}//`,
    `/${plain}`,
    `${plain}/more`,
    plain.toUpperCase(),
    plain.slice(0, -1),
    plain.slice(0, plain.lastIndexOf('/')),
  ];
};

describe('routing', () => {
  it('answers the methods of the address that fits best, and no others, at every path', () => {
    const paths = new Set([...mounted.flatMap(({ address }) => variants(address)), '/', '', '//', '/api', '/api/v1']);
    expect(paths.size).toBeGreaterThan(2_000);
    const wrong: object[] = [];
    let known = 0;
    for (const path of paths) {
      const methods = expected(path);
      if (methods) known += 1;
      const found = METHODS.map((method) => routing.find(path, method));
      const answered = METHODS.filter((_, at) => found[at]?.run !== undefined);
      const allowed = METHODS.filter((method) => found[0]?.methods.includes(method));
      const right = METHODS.filter((method) => methods?.has(method));
      if (!isDeepStrictEqual([answered, allowed], [right, right]) || Boolean(found[0]) !== Boolean(methods))
        wrong.push({ path, answered, allowed, right });
    }
    expect(wrong).toEqual([]);
    expect(known).toBeGreaterThan(500);
  });

  it.each([
    ['DELETE', '/api/v1/friends/blocked', ['GET', 'HEAD']],
    ['GET', '/api/v1/bookings/create', ['POST']],
    ['PUT', '/api/v1/friends/0190a0e4-0000-7000-8000-000000000000', ['DELETE']],
  ])('%s %s is not allowed: %j are', (method, path, methods) => {
    expect(routing.find(path, method)).toMatchObject({ run: undefined, methods });
  });

  it('decodes parameters', () => {
    const params = (path: string) => routing.find(canonicalPath(path), 'GET')?.params;
    expect(params('/api/v1/hotels/a%2Fb')).toEqual({ id: 'a/b' });
    expect(params('/api/v1/hotels/%c3%a9/')).toEqual({ id: 'é' });
    expect(params('/api/v1/hotels/a%2eb')).toEqual({ id: 'a.b' });
  });

  it('takes what RFC 3986 calls equivalent, and nothing else, as the same path', () => {
    expect(routing.find(canonicalPath('/api/v1/%68otel%73'), 'GET')?.address).toBe('/api/v1/hotels');
    expect(routing.find(canonicalPath('/api/v1/HOTELS'), 'GET')).toBeUndefined();
    expect(routing.find(canonicalPath('/api%2Fv1/hotels'), 'GET')).toBeUndefined();
  });

  it.each(['/api/v1/hotels/%zz', '/api/v1/hotels/%E9', '/%', '/caf%C3'])('refuses %s', (path) => {
    expect(() => canonicalPath(path)).toThrow(expect.objectContaining({ code: 'bad_request' }));
  });

  it('answers with what was mounted first', () => {
    const twice = createRouting<string>();
    twice.mount('/hotels/:id', 'GET', 'one');
    twice.mount('/hotels/:hotel_id', 'GET', 'another');
    expect(twice.find('/hotels/7', 'GET')).toMatchObject({ run: 'one', params: { id: '7' } });
  });
});
