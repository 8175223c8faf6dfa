/** The committed description of the API matches the code. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { openApi } from '../../api/http/openapi.ts';
import { operations } from '../../api/http/operations.ts';
import { routes } from '../../api/modules.ts';
import { VERSION } from '../../ops/version.ts';

it('openapi.json is up to date (npm run openapi)', () => {
  const committed = JSON.parse(readFileSync(path.resolve(import.meta.dirname, '../../openapi.json'), 'utf8'));
  expect(committed).toEqual(JSON.parse(JSON.stringify(openApi(routes, VERSION))));
});

it('every operation of the permission table has its route, once', () => {
  expect(routes.map((route) => route.key).toSorted()).toEqual(Object.keys(operations).toSorted());
});
