/** The committed documents of the API are those that the code makes, and the OpenAPI document is well made. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openApiText } from '../../api/http/openapi.ts';
import { permissionTable } from '../../api/http/permissions.ts';
import { routes } from '../../api/modules.ts';
import { VERSION } from '../../ops/version.ts';
import { payloads } from '../../projections/modules.ts';
import { asyncApiText } from '../../realtime/hub/asyncapi.ts';
import { defaultLimits } from '../../realtime/hub/limits.ts';
import { channels } from '../../realtime/modules.ts';

const root = (file: string): string => path.resolve(import.meta.dirname, '../..', file);
const text = openApiText(routes, VERSION);
const document = JSON.parse(text);
const schemas: Record<string, object> = document.components.schemas;

/** The committed text; with `UPDATE_GOLDEN=1` it becomes that of the code first. */
const committed = (file: string, current: string): string => {
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(root(file), current);
  return readFileSync(root(file), 'utf8');
};

const twice = (names: readonly string[]): string[] => names.filter((name, index) => names.indexOf(name) !== index);

/** Visits every object in the document. */
const walk = (value: unknown, visit: (found: Record<string, unknown>) => void): void => {
  if (value === null || typeof value !== 'object') return;
  if (!Array.isArray(value)) visit(value as Record<string, unknown>);
  for (const inner of Object.values(value)) walk(inner, visit);
};

it('openapi.json is up to date (npm run openapi)', () => {
  expect(committed('openapi.json', text)).toBe(text);
});

it('asyncapi.json is up to date (npm run asyncapi)', () => {
  const current = asyncApiText(VERSION, channels, payloads, defaultLimits);
  expect(committed('asyncapi.json', current)).toBe(current);
});

it('docs/permissions.md is up to date (npm run permissions -- --write)', () => {
  const table = permissionTable(routes);
  expect(committed('docs/permissions.md', table)).toBe(table);
});

it('declares each operation and each operation id once', () => {
  expect(twice(routes.map(({ key }) => key))).toEqual([]);
  expect(twice(routes.map(({ id }) => id))).toEqual([]);
});

it('has no two paths that differ only in the names of their parameters', () => {
  expect(twice(Object.keys(document.paths).map((each) => each.replaceAll(/\{\w+\}/g, '{}')))).toEqual([]);
});

/** The objects that clients know by name. */
const NAMED = [
  'Account',
  'ApiKey',
  'AuditEvent',
  'Availability',
  'Booking',
  'Chat',
  'Company',
  'Hotel',
  'Instructor',
  'InsuranceProduct',
  'Message',
  'NewBooking',
  'NewHotel',
  'NewTrip',
  'Payment',
  'PaymentMethod',
  'Payout',
  'Problem',
  'Purchase',
  'Refund',
  'Restaurant',
  'RoleRequest',
  'Room',
  'SkiPassTariff',
  'SupportTicket',
  'Tour',
  'Transfer',
  'Trip',
  'User',
];

describe('components of the OpenAPI document', () => {
  it('have the names of the objects', () => {
    expect(NAMED.filter((name) => !(name in schemas))).toEqual([]);
  });

  it('are all used, and all that is referenced exists', () => {
    const used = new Set<string>();
    walk(document, ({ $ref }) => {
      if (typeof $ref === 'string') used.add($ref);
    });
    const { securitySchemes: _, ...kinds } = document.components;
    const declared = Object.entries(kinds).flatMap(([kind, named]) =>
      Object.keys(named as object).map((name) => `#/components/${kind}/${name}`),
    );
    expect([...used].sort()).toEqual(declared.sort());
  });

  it('contain each named object once', () => {
    const fingerprints = new Map(Object.entries(schemas).map(([name, schema]) => [JSON.stringify(schema), name]));
    const copies: string[] = [];
    walk(document.paths, (found) => {
      const name = fingerprints.get(JSON.stringify(found));
      if (name) copies.push(name);
    });
    for (const schema of Object.values(schemas))
      for (const inner of Object.values(schema))
        walk(inner, (found) => {
          const name = fingerprints.get(JSON.stringify(found));
          if (name) copies.push(name);
        });
    expect(copies).toEqual([]);
    expect(fingerprints.size).toBe(Object.keys(schemas).length);
  });

  it('leave no internal name behind', () => {
    const left: unknown[] = [];
    walk(document, (found) => {
      if ('$id' in found) left.push(found.$id);
    });
    expect(left).toEqual([]);
  });
});

it('takes no white space for a text that must not be empty', () => {
  const blank: string[] = [];
  for (const { key, spec } of routes)
    walk(spec.body, ({ type, minLength, pattern, format, ...rest }) => {
      const refuses = format !== undefined || (typeof pattern === 'string' && !new RegExp(pattern, 'u').test('     '));
      if (type === 'string' && Number(minLength) > 0 && !refuses) blank.push(`${key} ${JSON.stringify(rest)}`);
    });
  expect(blank).toEqual([]);
});

describe('money', () => {
  it('is in major units wherever it is in minor units', () => {
    // Made in both units where the wire forms of bookings, payments and purchases are made.
    const elsewhere = ['commission_minor', 'provider_minor', 'penalty_minor', 'refund_minor'];
    const alone: string[] = [];
    walk(document, ({ properties }) => {
      for (const name of Object.keys((properties ?? {}) as object))
        if (
          name.endsWith('_minor') &&
          !elsewhere.includes(name) &&
          !(name.slice(0, -'_minor'.length) in (properties as object))
        )
          alone.push(`${name} of ${Object.keys(properties as object).slice(0, 3)}`);
    });
    expect(alone).toEqual([]);
  });

  it('is sent by clients in major units only', () => {
    const sent: string[] = [];
    for (const { key, spec } of routes)
      walk(spec.body, ({ properties }) => {
        for (const name of Object.keys((properties ?? {}) as object))
          if (name.endsWith('_minor')) sent.push(`${key} ${name}`);
      });
    expect(sent).toEqual([]);
  });
});
