/** Finding the operation of a request: exactly as one router with all addresses would. */
import { isDeepStrictEqual } from 'node:util';
import Router from '@koa/router';
import { describe, expect, it } from 'vitest';
import { addressesOf } from '../../api/http/route.ts';
import { createRouting } from '../../api/http/routing.ts';
import { routes } from '../../api/modules.ts';

const addresses = routes.flatMap((route) => addressesOf(route).map((address) => ({ method: route.method, address })));

interface Found {
  /** The address that answers; undefined for none. */
  readonly address: string | undefined;
  readonly params: unknown;
  /** Methods of the addresses that fit the path. */
  readonly methods: readonly string[];
}

type Dispatch = (ctx: never, next: () => Promise<void>) => unknown;

const find = async (dispatch: Dispatch, method: string, path: string): Promise<Found> => {
  const ctx = {
    method,
    path,
    request: {},
    matched: undefined as { methods: string[] }[] | undefined,
    params: undefined,
  };
  let address: string | undefined;
  const answer = (by: string) => {
    address = by;
  };
  await dispatch(Object.assign(ctx, { answer }) as never, async () => undefined);
  return { address, params: ctx.params, methods: (ctx.matched ?? []).flatMap((layer) => layer.methods) };
};

const answerAs = (address: string) => async (ctx: unknown) => (ctx as { answer: (by: string) => void }).answer(address);

/** One router with all addresses, and ours. */
const both = () => {
  const [reference, routing] = [new Router(), createRouting()];
  for (const { address, method } of addresses) {
    reference.register(address, [method], answerAs(address));
    routing.mount(address, method, answerAs(address) as never);
  }
  return { one: reference.routes() as unknown as Dispatch, ours: routing.dispatch as unknown as Dispatch };
};

/** Ways to write an address, right and wrong ones. */
const variants = (address: string): string[] => {
  const filled = (value: string) => address.replaceAll(/:\w+/g, value);
  const plain = filled('x');
  return [
    plain,
    ...['a.b', 'a%2Fb', '%zz', '%E0%A4%A', ':id', 'x%20y', '.', '..', 'x;y'].map(filled),
    filled(''),
    `${plain}/`,
    `${plain}//`,
    `/${plain}`,
    `${plain}/more`,
    plain.toUpperCase(),
    plain.replace('/', '/%61'),
    plain.slice(0, -1),
    plain.slice(0, plain.lastIndexOf('/')),
  ];
};

describe('routing', () => {
  const { one, ours } = both();

  it.each(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'])('finds what one router finds: %s', async (method) => {
    const all = new Set([...addresses.flatMap(({ address }) => variants(address)), '/', '', '//', '/api', '/api/v1']);
    expect(all.size).toBeGreaterThan(2_000);
    // The reference tries all addresses for each path, which takes its time. Methods differ only in what they choose.
    const paths = method === 'GET' ? [...all] : [...all].filter((_, n) => n % 4 === 0);
    let answered = 0;
    const wrong: object[] = [];
    for (const path of paths) {
      const [expected, found] = [await find(one, method, path), await find(ours, method, path)];
      if (expected.address !== undefined) answered += 1;
      if (!isDeepStrictEqual(found, expected)) wrong.push({ path, found, expected });
    }
    expect(wrong).toEqual([]);
    if (method === 'GET') expect(answered).toBeGreaterThan(500);
  });

  it('decodes parameters, and leaves what cannot be decoded as it was sent', async () => {
    const params = async (path: string) => (await find(ours, 'GET', path)).params;
    expect(await params('/api/v1/hotels/a%2Fb')).toEqual({ id: 'a/b' });
    expect(await params('/api/v1/hotels/%zz')).toEqual({ id: '%zz' });
    expect(await params('/API/V1/Hotels/a.b/')).toEqual({ id: 'a.b' });
  });

  it('refuses an address that begins with a parameter', () => {
    expect(() => createRouting().mount('/:anything', 'GET', async () => undefined)).toThrow('begins with a parameter');
  });
});
