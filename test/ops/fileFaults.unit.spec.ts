/** Faults of files in words. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fileFault } from '../../infra/fileFaults.ts';

const caught = (run: () => unknown): unknown => {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error('it did not fail');
};
const denied = (path: string) => Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES', path });

test('a permission: who asked, and whose the nearest folder is', () => {
  const { uid } = statSync('/');
  expect(fileFault(denied('/no-such-folder/manifest.json'))).toMatch(
    new RegExp(
      `^/no-such-folder/manifest.json may not be read or written by this process \\(.+, uid \\d+\\): / belongs to uid ${uid}$`,
    ),
  );
});

test('a file that is missing, a folder in place of a file', () => {
  expect(fileFault(caught(() => readFileSync('/no-such-file')))).toBe('/no-such-file is not there');
  expect(fileFault(caught(() => writeFileSync('/', '')))).toBe('/ is a folder');
});

test('nothing about errors that name no file', () => {
  for (const error of [new Error('x'), Object.assign(new Error('x'), { code: 'ENOENT' }), undefined, 'text', null])
    expect(fileFault(error ?? {})).toBeUndefined();
});
