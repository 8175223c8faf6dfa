/** Every preview, quote and dry run names the operation that it promises, and has a property that compares the two. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { TSchema } from '@sinclair/typebox';
import { expect, it } from 'vitest';
import { routes } from '../../api/modules.ts';

const LIKE_PREVIEWS = /quote|preview|dry_?run/i;
const namesOf = (schema: TSchema | undefined): string[] => Object.keys(schema?.properties ?? {});
const keyOf = ({ method, path: at }: { readonly method: string; readonly path: string }) =>
  `${method.toUpperCase()} ${at}`;

const specs = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.spec.ts'))
  .map((name) => readFileSync(path.join('test', name), 'utf8'))
  .join('\n');
const previews = routes.filter(({ spec }) => spec.previews !== undefined);

it('what is called a quote, preview or dry run says what it promises', () => {
  const like = routes.filter(
    ({ path: at, spec }) =>
      LIKE_PREVIEWS.test(at) ||
      [...namesOf(spec.query), ...namesOf(spec.body)].some((name) => /^(preview|dry_run)$/.test(name)),
  );
  expect(like.length).toBeGreaterThan(8);
  expect(like.filter(({ spec }) => spec.previews === undefined).map(keyOf)).toEqual([]);
});

it('what it promises is an operation', () => {
  const keys = new Set(routes.map(keyOf));
  expect(previews.filter(({ spec }) => !keys.has(spec.previews ?? '')).map(keyOf)).toEqual([]);
});

it('a property compares each with its result', () => {
  // One operation has three spellings of its path.
  const named = (key: string): boolean =>
    specs.includes(`previewIsResult('${key.replace(/\/v1\/(skipass|pass)\//, '/v1/ski-pass/')}'`);
  const without = previews.map(keyOf).filter((key) => !named(key));
  expect(without).toEqual([]);
});
