/** A wire form that is stored with its rows needs a new version of its model when it changes, or the stored text stays. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { models } from '../../projections/modules.ts';

const GOLDEN = path.resolve(import.meta.dirname, 'wireForms.golden.json');

const stored = models.filter(({ storedForms }) => storedForms.size > 0);

it.each(stored)('the stored form of $name is the one in the golden file, or has a higher version', (model) => {
  const { name, version, wire, storedForms } = model;
  const golden = existsSync(GOLDEN) ? JSON.parse(readFileSync(GOLDEN, 'utf8')) : {};
  const shown = [...storedForms.keys()].map((audience) => wire.schemaFor(audience));
  const text = JSON.stringify([shown, wire.overlay?.fields]);
  const now = { version, form: createHash('sha1').update(text).digest('hex') };
  if (process.env.UPDATE_GOLDEN && version > (golden[name]?.version ?? 0))
    writeFileSync(GOLDEN, `${JSON.stringify({ ...golden, [name]: now }, null, 2)}\n`);
  else expect(now, `raise the version of ${name}, then UPDATE_GOLDEN=1 records it`).toEqual(golden[name]);
});
it('is stored for what is read most', () =>
  expect(stored.map(({ name }) => name)).toEqual(expect.arrayContaining(['accounts', 'hotels', 'tours', 'bookings'])));
