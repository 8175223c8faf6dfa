/** The import of a map at the command line: what it says and exits with, whatever the file is. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EmbeddedNode, startEmbeddedNode } from '../../eventstore/embedded/start.ts';
import { LIKE_SERVER } from '../../eventstore/embedded/traits.ts';
import { createLogger } from '../../infra/log.ts';
import { migrateOps } from '../../infra/migrations.ts';
import { createPool } from '../../infra/postgres.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../ops/postgres/server.ts';
import { ownRuntime, type RuntimeFile } from '../../ops/runtime.ts';
import { allMigrations } from '../../ops/tables.ts';
import { type CliSession, startCli } from '../kit/cli.ts';

const log = createLogger({ level: 'silent' });

let dataDir: string;
let postgres: EmbeddedPostgres;
let node: EmbeddedNode;
let runtime: RuntimeFile | undefined;
let cli: CliSession;
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'resort-import-'));
  postgres = await startEmbeddedPostgres({ dataDir, log });
  const directory = path.join(dataDir, 'eventstore');
  node = await startEmbeddedNode({ directory, traits: LIKE_SERVER, onExit: () => undefined });
  const pool = createPool(postgres.url, { max: 1, applicationName: 'test', log });
  await migrateOps(pool, allMigrations);
  await pool.end();
  runtime = await ownRuntime(dataDir);
  runtime?.write({ databaseUrl: postgres.url, eventStore: node.connectionString, pids: {} });
  cli = startCli(dataDir);
});
afterAll(async () => {
  runtime?.remove();
  await node.stop();
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
});

describe('the import of a map', () => {
  const line = (coordinates: number[][]) => ({ type: 'LineString', coordinates });
  const chair = {
    type: 'Feature',
    properties: { type: 'lift', id: 'chair', name: 'Chair', liftType: 'chair_lift', status: 'operating' },
    geometry: line([
      [40.29, 43.67, 560],
      [40.31, 43.66, 1_170],
    ]),
  };
  const written = async (name: string, text: string): Promise<string> => {
    const file = path.join(dataDir, name);
    await writeFile(file, text);
    return file;
  };
  const map = (features: readonly object[]): string => JSON.stringify({ type: 'FeatureCollection', features });

  it('reads a file with a byte order mark, exits with 0, and changes nothing the second time', async () => {
    const file = await written('mark.geojson', `\uFEFF${map([chair])}`);
    expect(await cli.ended('resort', 'import', file)).toMatchObject({ code: 0, stderr: '' });
    expect(await cli.run('resort', 'import', file, '--json')).toMatchObject({
      ...{ lifts: 1, slopes: 0, skipped: [] },
      ...{ added: { lifts: 0, slopes: 0 }, changed: { lifts: 0, slopes: 0 } },
    });
  });

  it.each([
    ['no file', null, /cannot be imported: ENOENT/],
    ['no JSON', '{"type": "FeatureCollection"', /cannot be imported: .*JSON/],
    ['no GeoJSON', '[1]', /cannot be imported: /],
    ['nothing that can be imported', map([]), /has no lift and no slope that can be imported/],
    ['nothing but a mark', '\uFEFF', /cannot be imported: .*JSON/],
  ])('exits with 1 and one line: %s', async (name, text, said) => {
    const file = text === null ? path.join(dataDir, 'none.geojson') : await written(`${name}.geojson`, text);
    const { code, stderr } = await cli.ended('resort', 'import', file);
    expect({ code, lines: stderr.trimEnd().split('\n').length }).toEqual({ code: 1, lines: 1 });
    expect(stderr).toMatch(said);
    expect(stderr).not.toMatch(/^ +at /m);
  });
});
