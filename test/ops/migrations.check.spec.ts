/** The migrations of each release are committed as a script, so that released steps are never changed. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { migrationScript, migrations } from '../../infra/migrations.ts';
import { allMigrations } from '../../ops/tables.ts';
import { VERSION } from '../../ops/version.ts';

test('the script of this release is up to date (UPDATE_GOLDEN=1 records it)', () => {
  const file = path.resolve(import.meta.dirname, 'schema', `${VERSION}.sql`);
  const script = migrationScript(allMigrations);
  if (process.env.UPDATE_GOLDEN) writeFileSync(file, script);
  expect(script).toBe(readFileSync(file, 'utf8'));
});

test('a step needs a number and a name of its own', () => {
  expect(() => migrations('payments', { inbox: 'select 1' })).toThrow('named like 0001_subject');
  const inbox = migrations('payments', { '0001_inbox': 'select 1' });
  expect(Object.keys(inbox.steps)).toEqual(['0001_payments_inbox']);
  expect(() => migrationScript([inbox, inbox])).toThrow('same name');
});
