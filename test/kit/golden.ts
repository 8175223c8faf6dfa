/**
 * Each version of an event that was ever written has a file, `<type>.v<version>.json`: data as it was `stored`, and as
 * it is `read` today. Personal data stands in it in clear; upcasters only move it.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import type { EventDeclaration, EventDeclarations } from '../../domain/core/decider.ts';
import { explain, validator } from '../../infra/validation.ts';

export interface Golden {
  readonly stored: Record<string, unknown>;
  readonly read: Record<string, unknown>;
}

export const readGolden = (folder: string, type: string, version: number): Golden =>
  JSON.parse(readFileSync(path.join(folder, `${type}.v${version}.json`), 'utf8'));

const expectUpcasts = (folder: string, type: string, { data, upcast = [] }: EventDeclaration): void => {
  const valid = validator(data);
  for (const version of upcast.keys()) {
    const golden = readGolden(folder, type, version + 1);
    const read = upcast.slice(version).reduce((older, step) => step(older), golden.stored);
    expect(read, `${type} version ${version + 1}`).toEqual(golden.read);
    expect(valid(read) || explain(valid.errors), `${type} version ${version + 1}`).toBe(true);
  }
};

/** Every older version is still read as what it meant. */
export const expectAllUpcasts = (folder: string, declarations: EventDeclarations): void => {
  for (const [type, declaration] of Object.entries(declarations)) expectUpcasts(folder, type, declaration);
};
