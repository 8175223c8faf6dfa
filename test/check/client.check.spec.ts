/** The generated part of the client is that of the committed documents, with the names that a person would write. */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { openApiText } from '../../api/http/openapi.ts';
import { routes } from '../../api/modules.ts';
import { generatedFiles } from '../../client/generate/source.ts';
import { VERSION } from '../../ops/version.ts';
import { payloads } from '../../projections/modules.ts';
import { asyncApiText } from '../../realtime/hub/asyncapi.ts';
import { defaultLimits } from '../../realtime/hub/limits.ts';
import { channels } from '../../realtime/modules.ts';

const root = (file: string): string => path.resolve(import.meta.dirname, '../..', file);
const read = (file: string): string => readFileSync(root(file), 'utf8');

let files: Record<string, string>;
beforeAll(async () => {
  // From the code, to which other checks hold the committed documents: so all can be updated in one run.
  const openapi = openApiText(routes, VERSION);
  const asyncapi = asyncApiText(VERSION, channels, payloads, defaultLimits);
  files = await generatedFiles(JSON.parse(openapi), JSON.parse(asyncapi));
});

it.each(['types.ts', 'operations.ts', 'realtime.ts'])('client/generated/%s is up to date', (name) => {
  const file = `client/generated/${name}`;
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(root(file), files[name] ?? '');
  expect(read(file)).toBe(files[name]);
});

describe('the generated client', () => {
  it.each(['Booking', 'Hotel', 'Payment', 'PaymentMethod', 'Problem', 'Purchase', 'Room', 'Tour', 'Trip', 'User'])(
    'has the type %s',
    (name) => {
      expect(files['types.ts']).toContain(`export type ${name} = `);
    },
  );

  it('has every operation by its id, but those that only redirect a browser', () => {
    const ids = [...(files['operations.ts'] ?? '').matchAll(/^ {2}(\w+): \{/gm)].map(([, id]) => id);
    const missing = routes.filter(({ id }) => !ids.includes(id));
    expect(missing.filter(({ spec }) => spec.status !== 302)).toEqual([]);
    expect(missing.length).toBeLessThan(3);
  });

  it('refers to the named types', () => {
    expect(files['types.ts']).toContain('components["schemas"]["Booking"]');
  });
});

it('the examples of client/README.md compile', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'resort-examples-'));
  const examples = [...read('client/README.md').matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) => code);
  expect(examples.length).toBeGreaterThan(3);
  const given = `declare const myId: string; declare const chatId: string; declare function reload(): void; declare function render(rows: object): void;
declare function show(text: string): void; declare function notify(text: string): void; declare function badge(count: number): void;\n`;
  await writeFile(path.join(folder, 'examples.ts'), given + examples.join('\n'));
  const options = {
    extends: root('client/tsconfig.json'),
    compilerOptions: {
      noEmit: true,
      rootDir: path.parse(folder).root,
      noUnusedLocals: false,
      noUnusedParameters: false,
      noUncheckedIndexedAccess: false,
      paths: { '@resort/client': [root('client/index.ts')] },
    },
    include: [path.join(folder, 'examples.ts')],
  };
  await writeFile(path.join(folder, 'package.json'), '{"type":"module"}');
  await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(options));
  const tsc = root('node_modules/typescript/bin/tsc');
  const { stdout } = await promisify(execFile)(process.execPath, [tsc, '-p', folder]).catch((error) => error);
  expect(stdout).toBe('');
  await rm(folder, { recursive: true });
});
