/** A client generated from the OpenAPI document has the names that a person would write. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import openapiTS from 'openapi-typescript';
import { beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../../api/modules.ts';

let client: string;
beforeAll(async () => {
  const file = path.resolve(import.meta.dirname, '../../openapi.json');
  client = await openapiTS(JSON.parse(readFileSync(file, 'utf8')));
});

/** The names declared in a block of the client, such as `schemas`. */
const namesIn = (block: string, indent: number): string[] => {
  const start = client.search(new RegExp(`^ *${block}:? \\{$`, 'm'));
  const text = client.slice(start);
  const end = text.search(new RegExp(`^ {${indent - 2}}\\}`, 'm'));
  return [...text.slice(0, end).matchAll(new RegExp(`^ {${indent}}(\\w+):`, 'gm'))].map(([, name = '']) => name);
};

describe('a generated client', () => {
  it.each(['Booking', 'Hotel', 'Payment', 'PaymentMethod', 'Problem', 'Purchase', 'Room', 'Tour', 'Trip', 'User'])(
    'has the type %s',
    (name) => {
      expect(namesIn('schemas', 4)).toContain(name);
    },
  );

  it('has every operation by its id', () => {
    const operations = namesIn('export interface operations', 2);
    expect(routes.map(({ id }) => id).filter((id) => !operations.includes(id))).toEqual([]);
  });

  it('refers to the named types', () => {
    expect(client).toContain('components["schemas"]["Booking"]');
    expect(client).toContain('components["responses"]["RateLimited"]');
  });
});
