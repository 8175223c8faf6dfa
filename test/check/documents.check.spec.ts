/** Compares `docs/` with the code, and every link between documents with what it leads to. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { mediaTables } from '../../commands/files/formatTables.ts';
import { ConfigError } from '../../infra/settings.ts';
import { alertTable } from '../../ops/alerts/texts.ts';
import { checkTable } from '../../ops/checks/index.ts';
import { configTable, readConfig } from '../../ops/config.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
const DOCUMENTS = ['.', 'client', 'docs', 'docs/decisions'].flatMap((folder) =>
  readdirSync(path.join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => path.posix.join(folder, name)),
);

/** The text without blocks of code, whose comments look like headings. */
const proseOf = (file: string): string => read(file).replaceAll(/^```.*?^```/gms, '');

/** The names by which links reach the headings of a document, as GitHub makes them. */
const anchorsIn = (file: string): string[] =>
  [...proseOf(file).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

const leadsSomewhere = (from: string, link: string): boolean => {
  const [target = '', anchor] = link.split('#');
  const file = target === '' ? from : path.join(path.dirname(from), target);
  if (!existsSync(path.join(ROOT, file))) return false;
  return anchor === undefined || (file.endsWith('.md') && anchorsIn(file).includes(anchor));
};

it('links lead to files and headings that exist', () => {
  const links = DOCUMENTS.flatMap((file) =>
    [...proseOf(file).matchAll(/\]\((?!\w+:)([^)\s]+)\)/g)].map(([, link = '']) => ({ file, link })),
  );
  expect(links.length).toBeGreaterThan(100);
  expect(links.filter(({ file, link }) => !leadsSomewhere(file, link))).toEqual([]);
});

it('every decision is listed once in docs/decisions/README.md, under its number', () => {
  const listed = [...read('docs/decisions/README.md').matchAll(/^- \[(\d{4})\]\((\1-[\w-]+\.md)\): .+\.$/gm)];
  const records = readdirSync(path.join(ROOT, 'docs/decisions')).filter((name) => name !== 'README.md');
  expect(listed.map(([, , file]) => file).sort()).toEqual(records.sort());
});

describe('settings, checks, alerts and media', () => {
  it.each([
    ['docs/settings.md', 'settings', configTable],
    ['docs/operations.md', 'checks', checkTable],
    ['docs/runbook.md', 'alerts', alertTable],
    ['docs/media.md', 'media', mediaTables],
  ])('are listed in %s under %s (UPDATE_GOLDEN=1 writes it)', (file, mark, table) => {
    const [before = '', rest = ''] = read(file).split(`<!-- ${mark} -->\n`);
    const [present, after = ''] = rest.split(`\n<!-- /${mark} -->`);
    if (process.env.UPDATE_GOLDEN)
      writeFileSync(path.join(ROOT, file), `${before}<!-- ${mark} -->\n${table()}\n<!-- /${mark} -->${after}`);
    else expect(present).toBe(table());
  });

  const named = (text: string): string[] => [...text.matchAll(/\b[A-Z][A-Z\d]*_[A-Z\d_]+\b/g)].map(([name]) => name);
  const [, configuration = ''] = read('README.md').split('## Configuration');
  const [short = ''] = configuration.split('\n## ');

  it('that the README names exist', () => {
    expect(named(short).length).toBeGreaterThan(10);
    expect(named(short).filter((name) => !configTable().includes(`| \`${name}\` |`))).toEqual([]);
  });

  it('without which production does not start are named in the README', () => {
    const refusal = (): string => {
      try {
        readConfig({ NODE_ENV: 'production' });
        return '';
      } catch (error) {
        if (error instanceof ConfigError) return error.message;
        throw error;
      }
    };
    const required = named(refusal()).filter((name) => !['NODE_ENV', 'SANDBOX_URL'].includes(name));
    expect(required.length).toBeGreaterThan(5);
    expect(required.filter((name) => !short.includes(`\`${name}\``))).toEqual([]);
  });
});

describe('the manifests of modules', () => {
  /** The fields of an interface. */
  const fieldsOf = (file: string, name: string): string[] => {
    const [, rest = ''] = read(file).split(new RegExp(`interface ${name}(?:<.*>)? \\{\\n`));
    return [...(rest.split('\n}')[0] ?? '').matchAll(/^ {2}readonly (\w+)/gm)].map(([, field = '']) => field);
  };
  const collector = read('commands/modules.ts');
  /** Modules that others register with declare parts, too. */
  const [, registered = ''] = /Partial<([^;]+)>;/.exec(collector) ?? [];
  const registrations = registered
    .replaceAll(/<\w+>/g, '')
    .split(' & ')
    .flatMap((name) => {
      const [, file] = new RegExp(`import type \\{[^}]*\\b${name}\\b[^}]*\\} from '\\.(/[^']+)'`).exec(collector) ?? [];
      return fieldsOf(`commands${file}`, name);
    });
  const parts: Readonly<Record<string, readonly string[]>> = {
    domain: fieldsOf('domain/modules.ts', 'DomainModule'),
    commands: [...fieldsOf('commands/core/module.ts', 'CommandModule'), ...registrations],
    projections: ['readModels'],
    api: fieldsOf('api/http/module.ts', 'ApiModule'),
    realtime: fieldsOf('realtime/hub/channels.ts', 'RealtimeModule'),
  };
  const rows = [
    ...read('docs/decisions/0010-module-folders-and-manifests.md').matchAll(/^\| `(\w+)\/` \| ([^|]+) \|/gm),
  ];

  it.each(Object.entries(parts))('of %s/ are described in 0010', (layer, expected) => {
    const described = rows
      .filter(([, of]) => of === layer)
      .flatMap(([, , cell = '']) => [...cell.matchAll(/`(\w+)`/g)].map(([, part = '']) => part));
    expect(expected).not.toEqual([]);
    expect(described.sort()).toEqual([...new Set(expected)].sort());
  });

  it('contain only parts that are collected', () => {
    expect(registrations).toContain('payables');
    const collected = [...collector.matchAll(/each\.(\w+)/g)].map(([, part]) => part);
    expect(parts.commands?.filter((part) => !collected.includes(part))).toEqual([]);
  });
});
