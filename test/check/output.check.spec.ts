/** No process stops because its output is full or nobody reads it: all write and end by `infra/output.ts`. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../..');
const LAYERS = ['api', 'commands', 'domain', 'eventstore', 'infra', 'ops', 'projections', 'realtime'];
const WAITING = /\bprocess\.(exit|stdout|stderr)\b/;
/**
 * Commands may wait for their reader. The event node ends at once, because it must not answer any more, and the others
 * have written nothing.
 */
const EXCEPT = /^(ops\/cli\/|eventstore\/embedded\/main\.ts|infra\/(output|npm|jobProcess)\.ts|ops\/dev\/spare\.ts)/;

it('processes write their output and end by one module', () => {
  const files = LAYERS.flatMap((layer) =>
    readdirSync(path.join(ROOT, layer), { recursive: true, encoding: 'utf8' }).map((file) => path.join(layer, file)),
  ).filter((file) => file.endsWith('.ts') && !EXCEPT.test(file));
  const found = files.flatMap((file) =>
    readFileSync(path.join(ROOT, file), 'utf8')
      .split('\n')
      .flatMap((line, n) => (WAITING.test(line) ? [`${file}:${n + 1}: ${line.trim()}`] : [])),
  );
  expect(found).toEqual([]);
});
