/** Which file may import which: layers, machinery, modules, no cycles. An import against the rules fails here. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Layer → the layers that it may import. `infra` is the lowest, `ops` the highest. */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  domain: ['domain'],
  infra: ['infra'],
  eventstore: ['eventstore', 'domain', 'infra'],
  commands: ['commands', 'domain', 'eventstore', 'infra'],
  projections: ['projections', 'domain', 'eventstore', 'infra'],
  api: ['api', 'commands', 'projections', 'domain', 'eventstore', 'infra'],
  realtime: ['realtime', 'projections', 'domain', 'eventstore', 'infra'],
  /** A package of its own: it runs in browsers. */
  client: ['client'],
  ops: ['ops', 'infra', 'api', 'commands', 'projections', 'realtime', 'domain', 'eventstore', 'client'],
};

/** The folder of each layer that imports no module, and that every module may import. */
const MACHINERY: Readonly<Record<string, string>> = {
  domain: 'core',
  commands: 'core',
  projections: 'engine',
  api: 'http',
  realtime: 'hub',
};

/** Module → the modules that it may import, the same in every layer; the lowest first. Type-only imports count. */
const MODULES: Readonly<Record<string, readonly string[]>> = {
  accounts: [],
  consents: ['accounts'],
  flags: ['accounts'],
  platform: ['accounts', 'flags'],
  push: ['accounts', 'consents', 'flags'],
  mail: ['accounts', 'consents'],
  friends: ['accounts'],
  audit: [],
  operations: [],
  files: ['accounts'],
  reports: ['accounts', 'files'],
  catalog: ['accounts', 'files'],
  partners: ['accounts', 'catalog'],
  commissions: ['accounts', 'audit', 'catalog'],
  ledger: ['accounts', 'platform', 'catalog'],
  payments: ['accounts', 'mail', 'ledger'],
  promotions: ['catalog'],
  bookings: ['accounts', 'mail', 'catalog', 'commissions', 'ledger', 'payments', 'promotions'],
  purchases: ['accounts', 'catalog', 'payments', 'promotions'],
  passes: ['accounts', 'files', 'catalog', 'purchases', 'payments'],
  reviews: ['accounts', 'reports', 'files', 'catalog', 'bookings'],
  calls: ['accounts', 'friends'],
  chat: ['accounts', 'files', 'friends', 'reports', 'bookings'],
  support: ['accounts', 'chat'],
  tracking: ['accounts', 'platform', 'friends'],
  leaderboards: ['accounts', 'platform', 'friends', 'reports', 'tracking'],
  badges: ['accounts', 'platform', 'bookings', 'friends', 'leaderboards', 'reviews', 'tracking'],
  resort: ['platform', 'tracking'],
  analytics: ['consents', 'platform', 'bookings', 'catalog', 'ledger', 'payments', 'purchases', 'tracking', 'badges'],
  plans: ['flags', 'catalog', 'platform', 'resort'],
  sos: ['accounts', 'platform'],
  content: ['accounts', 'catalog', 'consents', 'files', 'promotions'],
  privacy: ['accounts', 'mail', 'files', 'payments'],
  forums: ['accounts', 'friends', 'reports', 'files', 'catalog'],
  voice: ['accounts', 'reports', 'files', 'forums'],
  recommendations: ['consents', 'catalog', 'bookings', 'resort', 'content'],
  favorites: ['catalog', 'content', 'forums', 'resort'],
  stories: ['accounts', 'catalog', 'files', 'friends', 'reports'],
  notifications: ['accounts', 'consents', 'push', 'mail'],
};

/** Impure things that the domain must not use. `node:util` and `node:url` are pure. */
const IMPURE = /\b(Date\.now|new Date\(\)|Math\.random|randomUUID|process\.|fetch\()|from 'node:(?!util'|url')/;

const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
const sources = (folder: string): string[] =>
  readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => path.posix.join(folder, file.replaceAll(path.sep, '/')))
    // The benchmarks install peers in a folder of their own.
    .filter((file) => file.endsWith('.ts') && !file.includes('/node_modules/'));

const importsOf = (file: string): string[] =>
  [...read(file).matchAll(/(?:from|import\(|import)\s*'(\.[^']+)'/g)].map(([, target = '']) =>
    path.posix.join(path.posix.dirname(file), target),
  );

const layers = Object.keys(LAYERS);
const files = layers.flatMap(sources);
const graph = new Map(files.map((file) => [file, importsOf(file)]));
const edges = [...graph].flatMap(([from, targets]) => targets.map((to) => ({ from, to })));

const layerOf = (file: string): string => file.split('/')[0] ?? '';
/** The folder below the layer; '' for a file of the layer itself, such as `commands/modules.ts`. */
const folderOf = (file: string): string => {
  const [layer = '', folder, ...rest] = file.split('/');
  return layer in MACHINERY && folder !== undefined && rest.length > 0 ? folder : '';
};
const isMachinery = (file: string): boolean => MACHINERY[layerOf(file)] === folderOf(file);
const isModule = (file: string): boolean => folderOf(file) !== '' && !isMachinery(file);
const shown = ({ from, to }: { from: string; to: string }): string => `${from} → ${to}`;

describe('layers', () => {
  it.each(layers)('%s imports only layers below it', (layer) => {
    expect(sources(layer).length).toBeGreaterThan(0);
    const wrong = edges.filter(({ from, to }) => layerOf(from) === layer && !LAYERS[layer]?.includes(layerOf(to)));
    expect(wrong.map(shown)).toEqual([]);
  });

  it('the domain uses no clock, chance or I/O', () => {
    expect(sources('domain').filter((file) => IMPURE.test(read(file)))).toEqual([]);
  });

  it('read models use no clock or chance', () => {
    const impure = sources('projections')
      .filter(isModule)
      .filter((file) => /\b(Date\.now|new Date\(\)|Math\.random|randomUUID)/.test(read(file)));
    expect(impure).toEqual([]);
  });

  it('the client needs nothing but what browsers have', () => {
    const needing = sources('client')
      .filter((file) => !file.startsWith('client/generate/'))
      .filter((file) => /(?:from|import\(|import)\s*'[^.]|\b(process|Buffer|require)\b[.(]/.test(read(file)));
    expect(needing).toEqual([]);
  });

  it('only eventstore/client, the embedded node and its tests import the client package', () => {
    const importers = files
      .filter((file) => read(file).includes("'@eventstore/db-client'"))
      .filter((file) => !/^eventstore\/(embedded\/|client[./])/.test(file));
    expect(importers).toEqual([]);
  });

  it('only the process that reads uploads imports what parses foreign files', () => {
    const importers = files.filter((file) => /(?:from|import\() ?'(sharp|mediabunny|file-type)'/.test(read(file)));
    expect(importers.filter((file) => !file.startsWith('commands/files/reader/'))).toEqual([]);
    const loaders = edges.filter(({ to }) => /^commands\/files\/reader\/(?!job\.ts)/.test(to));
    expect(loaders.filter(({ from }) => !from.startsWith('commands/files/reader/')).map(shown)).toEqual([]);
  });
});

describe('modules', () => {
  it('are declared, and the graph has no cycles', () => {
    const known = Object.keys(MODULES);
    for (const [index, name] of known.entries())
      for (const below of MODULES[name] ?? []) expect(known.slice(0, index), `${name} → ${below}`).toContain(below);
    const undeclared = new Set(files.filter(isModule).map(folderOf));
    expect([...undeclared].filter((name) => !known.includes(name))).toEqual([]);
  });

  it('import only modules below them, in their own layer and in others', () => {
    const wrong = edges.filter(({ from, to }) => {
      if (!isModule(from) || !isModule(to)) return false;
      const [importer, imported] = [folderOf(from), folderOf(to)];
      return importer !== imported && !MODULES[importer]?.includes(imported);
    });
    expect(wrong.map(shown)).toEqual([]);
  });

  it('are listed in docs/modules.md, each with the first line of its manifest (UPDATE_GOLDEN=1 writes it)', () => {
    const manifest = (name: string): string => {
      const own = `api/${name}/index.ts`;
      return existsSync(path.join(ROOT, own)) ? own : `domain/${name}/index.ts`;
    };
    const rows = Object.entries(MODULES).map(([name, below]) => {
      const [, offers] = /^\/\*\* (.*\.) \*\/$/m.exec(read(manifest(name)).split('\n')[0] ?? '') ?? [];
      expect(offers, `${manifest(name)} begins with a line that says what the module offers`).toBeDefined();
      return `| \`${name}\` | ${offers} | ${below.map((each) => `\`${each}\``).join(', ')} |\n`;
    });
    const table = ['| Module | What it offers | May import |\n', '|---|---|---|\n', ...rows].join('');
    const text = read('docs/modules.md');
    const start = text.indexOf('| Module |');
    if (process.env.UPDATE_GOLDEN) writeFileSync(path.join(ROOT, 'docs/modules.md'), text.slice(0, start) + table);
    else expect(text.slice(start)).toBe(table);
  });

  /** The folders that `modules.ts` of a layer takes manifests from, in the order of its list. */
  const listed = (layer: string): string[] => {
    const text = read(`${layer}/modules.ts`);
    const folders = new Map(
      [...text.matchAll(/^import \{([^}]*)\} from '\.\/(\w+)\/index\.ts'/gm)].flatMap(([, names = '', folder = '']) =>
        names.split(',').map((name) => [name.trim().replace(/^.* as /, ''), folder] as const),
      ),
    );
    const [, list = ''] = /^(?:export )?const (?:modules|groups)\b[^=]*= \[$([\s\S]*?)^\]/m.exec(text) ?? [];
    return [...new Set([...list.matchAll(/\w+/g)].flatMap(([name]) => folders.get(name) ?? []))];
  };

  it.each(Object.keys(MACHINERY))('with a manifest in %s/ are in its list', (layer) => {
    const manifests = files
      .filter((file) => file.startsWith(`${layer}/`) && isModule(file))
      .filter((file) => file.endsWith('/index.ts'));
    expect(manifests.length).toBeGreaterThan(0);
    expect(listed(layer).toSorted()).toEqual([...new Set(manifests.map(folderOf))].toSorted());
  });

  // The API has the order of the documentation; read models have that of the groups in which they are projected.
  it.each(['domain', 'commands', 'realtime'])('are listed in %s/modules.ts in the order of the graph', (layer) => {
    const order = Object.keys(MODULES);
    expect(listed(layer)).toEqual(listed(layer).toSorted((a, b) => order.indexOf(a) - order.indexOf(b)));
  });

  it('are not imported by the machinery', () => {
    const wrong = edges.filter(({ from, to }) => isMachinery(from) && isModule(to));
    expect(wrong.map(shown)).toEqual([]);
  });
});

/** Files that reach each other by imports: strongly connected components of more than one file (Tarjan). */
const cyclesOf = (nodes: ReadonlyMap<string, readonly string[]>): string[][] => {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const found: string[][] = [];
  const visit = (file: string): number => {
    const index = order.size;
    order.set(file, index);
    lowest.set(file, index);
    stack.push(file);
    for (const target of nodes.get(file) ?? []) {
      if (!nodes.has(target)) continue;
      if (!order.has(target)) lowest.set(file, Math.min(lowest.get(file) ?? index, visit(target)));
      else if (stack.includes(target))
        lowest.set(file, Math.min(lowest.get(file) ?? index, order.get(target) ?? index));
    }
    const low = lowest.get(file) ?? index;
    if (low === index) {
      const component = stack.splice(stack.indexOf(file));
      if (component.length > 1) found.push(component.sort());
    }
    return low;
  };
  for (const file of nodes.keys()) if (!order.has(file)) visit(file);
  return found;
};

describe('files', () => {
  it('the search for cycles finds them', () => {
    const nodes = new Map([
      ['a', ['b', 'd']],
      ['b', ['c']],
      ['c', ['a']],
      ['d', []],
    ]);
    expect(cyclesOf(nodes)).toEqual([['a', 'b', 'c']]);
  });

  it('do not import each other in a cycle', () => {
    expect(cyclesOf(graph)).toEqual([]);
  });

  it('do not lie beside a folder of their name', () => {
    const beside = [...files, ...sources('test')].filter((file) =>
      existsSync(path.join(ROOT, file.replace(/\.ts$/, ''))),
    );
    expect(beside).toEqual([]);
  });
});
