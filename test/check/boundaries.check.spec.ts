/** Enforces the direction of dependencies that the README shows. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Layer → the layers that it may import. `infra` is the lowest, `ops` the highest. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  domain: ['domain'],
  infra: ['infra'],
  eventstore: ['eventstore', 'domain', 'infra'],
  commands: ['commands', 'domain', 'eventstore', 'infra'],
  projections: ['projections', 'domain', 'eventstore', 'infra'],
  api: ['api', 'commands', 'projections', 'domain', 'eventstore', 'infra'],
  realtime: ['realtime', 'projections', 'domain', 'eventstore', 'infra'],
  ops: ['ops', 'infra', 'api', 'commands', 'projections', 'realtime', 'domain', 'eventstore'],
};
/** Clock, randomness and I/O, which the domain must not use. `node:util` is pure. */
const IMPURE = /\b(Date\.now|new Date\(\)|Math\.random|randomUUID|process\.|fetch\()|from 'node:(?!util')/;

const sources = (folder: string): string[] =>
  readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => path.posix.join(folder, file));

const layerOf = (file: string): string => file.split('/')[0] ?? '';

const importsOf = (file: string): string[] => {
  const text = readFileSync(path.join(ROOT, file), 'utf8');
  return [...text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map(([, target = '']) =>
    path.posix.join(path.posix.dirname(file), target),
  );
};

const folders = ['domain', 'eventstore', 'commands', 'projections', 'api', 'realtime', 'infra', 'ops'];

describe('layers', () => {
  it.each(folders)('%s imports only lower layers', (folder) => {
    const files = sources(folder);
    expect(files.length).toBeGreaterThan(0);
    const wrong = files.flatMap((file) =>
      importsOf(file)
        .filter((target) => !ALLOWED[layerOf(file)]?.includes(layerOf(target)))
        .map((target) => `${file} → ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it('the domain uses no clock, randomness or I/O', () => {
    const impure = sources('domain').filter((file) => IMPURE.test(readFileSync(path.join(ROOT, file), 'utf8')));
    expect(impure).toEqual([]);
  });

  it('read models use no clock or randomness', () => {
    const impure = sources('projections')
      .filter((file) => file.split('/').length === 3 && !file.startsWith('projections/engine/'))
      .filter((file) =>
        /\b(Date\.now|new Date\(\)|Math\.random|randomUUID)/.test(readFileSync(path.join(ROOT, file), 'utf8')),
      );
    expect(impure).toEqual([]);
  });

  it('only eventstore/client, the embedded node and its tests import the client package', () => {
    const importers = folders
      .flatMap(sources)
      .filter((file) => readFileSync(path.join(ROOT, file), 'utf8').includes("'@eventstore/db-client'"))
      .filter((file) => !/^eventstore\/(embedded\/|client[./])/.test(file));
    expect(importers).toEqual([]);
  });
});
