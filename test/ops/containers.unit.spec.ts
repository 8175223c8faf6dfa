/** The files for containers and systemd: what they name exists, and production is closed. They are read, not run. */
import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { composeSecrets, forCompose } from '../../ops/cli/init.ts';
import { program } from '../../ops/cli/program.ts';
import { readConfig, secretSettings, settingNames } from '../../ops/config.ts';
import { PRODUCTION } from './production.ts';

interface Service {
  readonly image?: string;
  readonly build?: string;
  readonly command?: readonly string[];
  readonly depends_on?: Readonly<Record<string, unknown>> | readonly string[];
  readonly environment?: Readonly<Record<string, string | number>>;
  readonly env_file?: string;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly secrets?: readonly string[];
  readonly profiles?: readonly string[];
  readonly restart?: string;
  readonly logging?: { readonly options: { readonly 'max-size': string } };
  readonly mem_limit?: string;
  readonly stop_grace_period?: string;
  readonly healthcheck?: { readonly start_period?: string; readonly disable?: boolean };
}
interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes?: Readonly<Record<string, unknown>>;
  readonly secrets?: Readonly<Record<string, { readonly file: string }>>;
}

const read = (file: string) => readFile(new URL(`../../${file}`, import.meta.url), 'utf8');
const composed = async (file: string): Promise<Compose> => {
  // `!override` and `!reset` are not used; merges (`<<`) are.
  return parse(await read(file), { merge: true }) as Compose;
};
const production = await composed('docker-compose.yml');
const cluster = await composed('compose.cluster.yml');
const trial = await composed('compose.dev.yml');

/** What Compose makes of a value when nothing is set in `.env`. */
const withoutEnv = (value: string | number): string => {
  const inner = String(value).replace(/\$\{\w+(?::?[-+?]([^${}]*))?\}/g, (whole, word: string | undefined) =>
    /:?\+/.test(whole) || /:?\?/.test(whole) ? '' : (word ?? ''),
  );
  return inner === String(value) ? inner : withoutEnv(inner);
};
const settingsOf = ({ environment = {} }: Service): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, withoutEnv(value)]));
const rolesOf = ({ services }: Compose) =>
  Object.entries(services).filter(([, { environment }]) => environment?.ROLE !== undefined);
const servicesNamed = ({ depends_on = {} }: Service): string[] =>
  Array.isArray(depends_on) ? depends_on : Object.keys(depends_on);

describe.each([
  ['docker-compose.yml', production],
  ['compose.dev.yml', trial],
])('%s', (_, compose) => {
  test('names only services, volumes and settings that exist', () => {
    const named = Object.values(compose.services).flatMap(({ volumes = [] }) =>
      volumes.map((each) => each.split(':')[0]),
    );
    const volumes = named.filter((name) => name && /^[a-z]/.test(name));
    expect(Object.keys(compose.volumes ?? {})).toEqual(expect.arrayContaining(volumes));
    for (const service of Object.values(compose.services))
      expect(Object.keys(compose.services)).toEqual(expect.arrayContaining(servicesNamed(service)));
    const known = [...settingNames(), ...secretSettings().map((name) => `${name}_FILE`)];
    for (const [, { environment = {} }] of rolesOf(compose))
      expect(known).toEqual(expect.arrayContaining(Object.keys(environment)));
  });
});

describe('docker-compose.yml', () => {
  const roles = rolesOf(production);

  test('has two of each role, and the command line, with the same settings', () => {
    expect(roles.map(([name, { environment }]) => [name, environment?.ROLE])).toEqual([
      ['api1', 'api'],
      ['api2', 'api'],
      ['realtime1', 'realtime'],
      ['realtime2', 'realtime'],
      ['worker1', 'worker'],
      ['worker2', 'worker'],
    ]);
    const { ROLE: _, ...common } = production.services.api1?.environment ?? {};
    for (const [, { environment }] of roles) expect(environment).toMatchObject(common);
    expect(production.services.cli?.environment).toEqual(common);
    expect(production.services.cli?.profiles).toEqual(['tools']);
  });

  test('starts in production with `.env` filled in and the files of `resort init --compose`', () => {
    const names = composeSecrets();
    expect(Object.keys(production.secrets ?? {}).toSorted()).toEqual(names.toSorted());
    for (const name of names) expect(production.secrets?.[name]?.file).toBe(`./secrets/${name}`);
    const filledIn = Object.fromEntries(
      forCompose().flatMap((line) => {
        const name = /^(\w+)=/.exec(line)?.[1] ?? '';
        return name in PRODUCTION ? [[name, PRODUCTION[name as keyof typeof PRODUCTION]]] : [];
      }),
    );
    for (const [, service] of [...roles, ['cli', production.services.cli as Service] as const]) {
      expect(service.env_file).toBe('.env');
      expect(service.secrets).toEqual(expect.arrayContaining(names));
      const { DATABASE_PASSWORD_FILE, ...settings } = settingsOf(service);
      expect(DATABASE_PASSWORD_FILE).toBe('/run/secrets/DATABASE_PASSWORD');
      const secrets = Object.keys(settings).filter((name) => name.endsWith('_FILE'));
      expect(secrets.toSorted()).toEqual(
        names
          .filter((name) => name !== 'DATABASE_PASSWORD')
          .map((name) => `${name}_FILE`)
          .toSorted(),
      );
      const asRead = Object.fromEntries(
        Object.entries({ ...filledIn, ...settings }).map(([name, value]) =>
          name.endsWith('_FILE')
            ? [name.slice(0, -'_FILE'.length), PRODUCTION[name.slice(0, -'_FILE'.length) as keyof typeof PRODUCTION]]
            : [name, value],
        ),
      );
      const config = readConfig(asRead);
      expect(config.NODE_ENV).toBe('production');
      expect(config.PRIVATE_HOSTS).toEqual(['postgres', 'eventstore', 'realtime']);
    }
  });

  test('publishes the proxy only, which passes on to services that exist, and has no sandbox', async () => {
    const published = Object.entries(production.services).filter(([, { ports }]) => ports !== undefined);
    expect(published.map(([name]) => name)).toEqual(['proxy']);
    expect(JSON.stringify(production)).not.toMatch(/sandbox/i);
    const caddyfile = await read('ops/proxy/Caddyfile');
    const upstreams = [...caddyfile.matchAll(/reverse_proxy ([^{\n]+)/g)].map(([, hosts]) => hosts?.trim());
    const { PORT, REALTIME_PORT } = readConfig({});
    expect(upstreams).toEqual([`realtime1:${REALTIME_PORT} realtime2:${REALTIME_PORT}`, `api1:${PORT} api2:${PORT}`]);
    expect(settingsOf(production.services.api1 as Service)).toMatchObject({
      TRUST_PROXY: '1',
      REALTIME_URL: `http://realtime:${REALTIME_PORT}`,
    });
  });

  test('gives everything that stays a limit, a rotated log and time to stop, and its health time to begin', async () => {
    const dockerfile = await read('Dockerfile');
    expect(dockerfile).toMatch(/HEALTHCHECK .*--start-period=/);
    for (const compose of [production, cluster])
      for (const [name, service] of Object.entries(compose.services)) {
        if (service.restart === undefined) continue;
        expect(service, name).toMatchObject({ restart: 'unless-stopped', logging: { options: { 'max-size': '20m' } } });
        expect(service.mem_limit, name).toMatch(/\d[gm]\}$/);
        expect(service.stop_grace_period, name).toMatch(/^\d+[ms]/);
        if (service.build === undefined) expect(service.healthcheck?.start_period, name).toBeDefined();
      }
  });
});

describe('.env.example', () => {
  test('is what `resort init --compose` writes', async () => {
    expect(await read('.env.example')).toBe(`${forCompose().join('\n')}\n`);
  });

  test('and whatever else has secrets of an installation are in neither the repository nor the image', async () => {
    expect((await read('.gitignore')).split('\n')).toEqual(
      expect.arrayContaining(['.env', '.env.*', '!.env.example', '/secrets/', '/backups/']),
    );
    expect((await read('.dockerignore')).split('\n')).toEqual(expect.arrayContaining(['.*', 'secrets', 'backups']));
  });
});

describe('compose.cluster.yml', () => {
  const nodes = ['eventstore', 'eventstore2', 'eventstore3'];
  const mountedIn = (volume: string) =>
    Object.entries(cluster.services)
      .filter(([, { volumes = [] }]) => volumes.some((each) => each.startsWith(`${volume}:`)))
      .map(([name]) => name);

  test('shows each key to the one that needs it', () => {
    expect(mountedIn('authority-key')).toEqual(['certificates']);
    for (const [index, node] of nodes.entries())
      expect(mountedIn(`certificates${index + 1}`)).toEqual(['certificates', node]);
  });

  test('replaces the single node and changes every role', () => {
    for (const node of nodes) expect(cluster.services[node]?.command).toContain(`--node-host-advertise-as=${node}`);
    const users = [...rolesOf(production).map(([name]) => name), 'cli'];
    for (const name of users) {
      const service = cluster.services[name];
      expect(service?.environment?.ESDB_CONNECTION_STRING, name).toContain(
        nodes.map((node) => `${node}:2113`).join(','),
      );
      expect(service?.volumes, name).toEqual(['authority:/authority:ro']);
    }
    expect(production.services.eventstore).toBeDefined();
  });
});

describe('compose.dev.yml', () => {
  test('publishes on loopback only, and tells roles and browsers their own address of the sandbox', () => {
    for (const { ports = [] } of Object.values(trial.services))
      for (const each of ports) expect(each).toMatch(/^127\.0\.0\.1:/);
    for (const [name, service] of rolesOf(trial)) {
      const config = readConfig(settingsOf(service));
      expect(config, name).toMatchObject({
        SANDBOX_URL: 'http://sandbox:8082',
        SANDBOX_PUBLIC_URL: 'http://localhost:8082',
      });
    }
  });
});

describe('the image', () => {
  test('is of one version of Node, written out', async () => {
    const stages = (await read('Dockerfile')).match(/^FROM .*$/gm);
    expect(stages).toEqual([
      expect.stringMatching(/^FROM \$\{NODE_IMAGE\} AS build$/),
      expect.stringMatching(/^FROM \$\{NODE_IMAGE\}$/),
    ]);
    expect(await read('Dockerfile')).toMatch(/^ARG NODE_IMAGE=node:\d+\.\d+\.\d+-\w+-slim$/m);
  });
});

describe('docs/deployment.md', async () => {
  const text = await read('docs/deployment.md');
  const commands = [...text.matchAll(/docker compose [^\n`&;|#]+/g)].map(([command]) => command);

  test('uses services and commands that exist', () => {
    const known = [...Object.keys(production.services), ...Object.keys(cluster.services)];
    const targets = commands.flatMap((command) => {
      const words = command.split(/\s+/).filter((word) => word !== '' && !word.startsWith('-'));
      const verb = words.findIndex((word) => ['run', 'exec', 'build', 'restart'].includes(word));
      const target =
        verb < 0 ? undefined : words.slice(verb + 1).find((word) => !['600', 'tar', '$role', '$node'].includes(word));
      return target === undefined ? [] : [target];
    });
    expect(targets.length).toBeGreaterThan(10);
    expect(known).toEqual(expect.arrayContaining(targets));
    const ours = [...text.matchAll(/ cli ([a-z]+)/g)].map(([, name]) => name);
    expect(program.commands.map((command) => command.name())).toEqual(expect.arrayContaining(ours));
  });

  test('leads to the units of systemd, which run what is built', async () => {
    const units = (await readdir(new URL('../../ops/systemd', import.meta.url))).toSorted();
    expect(units).toEqual(['resort.service', 'resort@.service']);
    for (const unit of units) {
      const lines = (await read(`ops/systemd/${unit}`)).split('\n');
      expect(lines).toEqual(
        expect.arrayContaining([
          'ExecStart=/usr/bin/node dist/bundle/main.mjs',
          'EnvironmentFile=/etc/resort/settings.env',
          'KillMode=mixed',
          'LimitNOFILE=65536',
        ]),
      );
      expect(lines.includes('Environment=ROLE=%i'), unit).toBe(unit.includes('@'));
    }
  });
});
