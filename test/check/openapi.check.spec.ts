/** The committed documents of the API are those that the code makes. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { openApi } from '../../api/http/openapi.ts';
import { permissionTable } from '../../api/http/permissions.ts';
import { routes } from '../../api/modules.ts';
import { VERSION } from '../../ops/version.ts';

const root = (file: string): string => path.resolve(import.meta.dirname, '../..', file);
const document = JSON.parse(JSON.stringify(openApi(routes, VERSION)));

/** The committed text; with `UPDATE_GOLDEN=1` it becomes that of the code first. */
const committed = (file: string, current: string): string => {
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(root(file), current);
  return readFileSync(root(file), 'utf8');
};

it('openapi.json is up to date (npm run openapi)', () => {
  expect(JSON.parse(committed('openapi.json', `${JSON.stringify(document, undefined, 2)}\n`))).toEqual(document);
});

it('docs/permissions.md is up to date (npm run permissions -- --write)', () => {
  const table = permissionTable(routes);
  expect(committed('docs/permissions.md', table)).toBe(table);
});

it('declares each operation and each operation id once', () => {
  const twice = (names: string[]) => names.filter((name, index) => names.indexOf(name) !== index);
  expect(twice(routes.map(({ key }) => key))).toEqual([]);
  expect(twice(routes.map(({ id }) => id))).toEqual([]);
});
