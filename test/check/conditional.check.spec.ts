/** What has an ETag and can be changed is changed on the condition of `If-Match`. */
import { expect, it } from 'vitest';
import type { DeclaredRoute } from '../../api/http/route.ts';
import { routes } from '../../api/modules.ts';

/** The names of parameters do not matter: `/hotels/:`. */
const placeOf = ({ path }: DeclaredRoute): string => path.replace(/:\w+/g, ':');
const changes = routes.filter(({ method }) => ['PUT', 'PATCH', 'DELETE'].includes(method));
const tagged = new Map(
  routes.filter(({ method, spec }) => method === 'GET' && spec.cache).map((route) => [placeOf(route), route]),
);
const keysOf = (declared: readonly DeclaredRoute[]) => declared.map(({ key }) => key);

it('a change of what has an ETag takes If-Match', () => {
  const taking = changes.filter(({ spec }) => spec.ifMatch !== undefined);
  expect(keysOf(changes.filter((change) => tagged.has(placeOf(change)) && !taking.includes(change)))).toEqual([]);
  expect(taking.length).toBeGreaterThan(15);
});

it('the ETag of what can be changed begins with its revision', () => {
  const taking = routes.filter(({ spec }) => spec.ifMatch !== undefined).map(placeOf);
  const changed = [...tagged.entries()].filter(([place]) => taking.includes(place)).map(([, route]) => route);
  expect(keysOf(changed.filter(({ spec }) => spec.cache?.revisionOf === undefined))).toEqual([]);
  for (const place of taking.filter((each) => !each.endsWith('/revert'))) expect(tagged.has(place), place).toBe(true);
});

it('a stream is named by the `id` of the path', () => {
  const named = routes.filter(({ spec }) => spec.ifMatch?.category !== undefined);
  expect(keysOf(named.filter(({ path }) => !/:id(\/|$)/.test(path)))).toEqual([]);
});
