/** What gates call does not depend on what the app shows to people. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { isGuarded } from '../../api/http/appModule.ts';
import { routesOf } from '../../api/http/module.ts';
import { modules } from '../../api/modules.ts';

const routes = routesOf(modules);
const gates = readFileSync(path.resolve(import.meta.dirname, '../../docs/gates.md'), 'utf8');
/** What the app of the guest calls, and what admins look at. */
const OF_PEOPLE = ['/api/v1/skipass/', '/api/v1/admin/'];

it('no module switch closes an operation that docs/gates.md tells gates to call, or that needs the scope of gates', () => {
  const named = [...new Set(gates.match(/(GET|POST) \/api\/v1\/[\w/-]+/g))].filter(
    (key) => !OF_PEOPLE.some((start) => key.includes(start)),
  );
  expect(named).toHaveLength(5);
  const called = routes.filter(({ key, access }) => named.includes(key) || access === 'scope:passes:scan');
  expect(called.map(({ key }) => key)).toEqual(expect.arrayContaining(named));
  expect(called.filter(({ module, access }) => isGuarded(module, access)).map(({ key }) => key)).toEqual([]);
});

it('what people do with passes can be closed', () => {
  const sale = routes.find(({ id }) => id === 'purchaseSkipass' || id === 'purchaseSkiPass');
  expect(sale && isGuarded(sale.module, sale.access)).toBe(true);
});
