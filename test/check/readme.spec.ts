/** What the README says that the code knows as well. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { configTable } from '../../ops/config.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const README = readFileSync(path.join(ROOT, 'README.md'), 'utf8');
const { dependencies, devDependencies, scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));

describe('the README', () => {
  it('lists the settings as they are (npm run settings)', () => {
    expect(README).toContain(configTable().trim());
  });

  it('gives a reason for every dependency', () => {
    const [, table = ''] = README.split('## Dependencies');
    const types = (name: string) => name.startsWith('@types/');
    const missing = Object.keys({ ...dependencies, ...devDependencies }).filter(
      (name) => !types(name) && !table.includes(`\`${name}\``),
    );
    expect(missing).toEqual([]);
  });

  it('names only scripts and files that exist', () => {
    const named = [...README.matchAll(/npm run (?:--silent )?([\w:]+)/g)].map(([, name = '']) => name);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
    const links = [...README.matchAll(/\]\(([\w./-]+)\)/g)].map(([, target = '']) => target);
    expect(links.filter((target) => !existsSync(path.join(ROOT, target)))).toEqual([]);
  });

  it('shows every folder at the top', () => {
    const folders = readdirSync(ROOT).filter(
      (name) =>
        !/^(\.|node_modules$|dist$|docs$|coverage$)/.test(name) && statSync(path.join(ROOT, name)).isDirectory(),
    );
    expect(folders.filter((name) => !README.includes(`\n${name}/`))).toEqual([]);
  });
});
