/** TCP ports: chooses free ones, and explains all that is wrong with configured ones. */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { groupBy } from '../infra/groupBy.ts';
import { ConfigError } from '../infra/settings.ts';
import type { Config, PortSetting, Role } from './config.ts';

/** Listens on the port briefly; false when it is taken. */
export const isFree = async (host: string, port: number): Promise<boolean> => {
  const server = createServer();
  server.listen({ host, port, exclusive: true });
  try {
    await once(server, 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
    throw error;
  }
  server.close();
  await once(server, 'close');
  return true;
};

/**
 * Ports are chosen below the ephemeral range (Linux from 32768 on, others from 49152) and never twice, because seconds
 * pass before the port is used: an outgoing connection must not take it meanwhile.
 */
const [FIRST, LAST] = [20_000, 32_767];
const ATTEMPTS = 200;
const handedOut = new Set<number>();

/** Ports that some setting names, which are never chosen. */
const configured = new Set<number>();

/**
 * Never chooses a port that the settings name, also in an address of another program, which may not have started yet. Call
 * it before ports are chosen.
 */
export const keepConfigured = (config: Config): void => {
  for (const [, port] of JSON.stringify(config).matchAll(/:(\d{4,5})\b/g)) configured.add(Number(port));
};

/**
 * Returns any free port that no setting names. Never returns the same port twice in this process.
 * @param last the port of the last start, which is returned if it is free
 */
export const freePort = async (host: string, last = 0): Promise<number> => {
  const others = Array.from({ length: ATTEMPTS }, () => randomInt(FIRST, LAST + 1));
  const fresh = others.filter((port) => !handedOut.has(port));
  for (const port of last === 0 ? fresh : [last, ...fresh])
    if (!configured.has(port) && (await isFree(host, port))) {
      handedOut.add(port);
      return port;
    }
  throw new Error(`no free port on ${host}`);
};

const taken = (setting: PortSetting, port: number): string =>
  `${setting} ${port} is taken by another program: set ${setting} to a free port`;

export const portTaken = (setting: PortSetting, config: Config): ConfigError =>
  new ConfigError([taken(setting, config[setting])]);

/** A port that a process of these roles listens on. */
interface Listening {
  readonly setting: PortSetting;
  readonly host: string;
  readonly port: number;
  /** Another free port serves as well, because nobody types this one. */
  readonly mayMove?: true;
}

const LOOPBACK = '127.0.0.1';

const listeningOf = (roles: readonly Role[], config: Config): readonly Listening[] => {
  const { HOST: host, SANDBOX_PORT, METRICS_PORT, EVENTSTORE_HEALTH_PORT } = config;
  const isWhole = roles.includes('all');
  const has = (role: Role) => roles.includes(role) || (isWhole && role !== 'eventstore');
  const at = (setting: PortSetting, on = host) => ({ setting, host: on, port: config[setting] });
  // A sandbox on any port is one of several.
  const smtp = SANDBOX_PORT === 0 ? { ...at('SANDBOX_SMTP_PORT'), port: 0 } : at('SANDBOX_SMTP_PORT');
  return [
    ...(has('api') ? [at('PORT')] : []),
    ...(has('realtime') ? [at('REALTIME_PORT')] : []),
    // Production has no sandbox.
    ...(has('sandbox') && !(isWhole && config.NODE_ENV === 'production')
      ? [at('SANDBOX_PORT'), isWhole ? { ...smtp, mayMove: true as const } : smtp]
      : []),
    ...(has('eventstore') ? [at('EVENTSTORE_PORT', LOOPBACK)] : []),
    ...(has('eventstore') && EVENTSTORE_HEALTH_PORT !== 0 ? [at('EVENTSTORE_HEALTH_PORT', LOOPBACK)] : []),
    ...(METRICS_PORT === 0 ? [] : [{ ...at('METRICS_PORT'), mayMove: true as const }]),
  ];
};

/**
 * Chooses every port that is to be a free one, so that addresses stay the same over restarts of a role.
 * @returns the ports by their settings
 * @throws ConfigError that names all ports that are taken or set twice
 */
export const settlePorts = async (roles: readonly Role[], config: Config): Promise<Record<string, string>> => {
  keepConfigured(config);
  const listening = listeningOf(roles, config);
  const problems = setTwice(listening);
  const settled: Record<string, string> = {};
  for (const { setting, host, port, mayMove } of listening) {
    const free = port !== 0 && (await isFree(host, port).catch((error: Error) => error));
    if (free instanceof Error) problems.push(`${setting} ${port} cannot be used on ${host}: ${free.message}`);
    else if (port !== 0 && !free && !mayMove) problems.push(taken(setting, port));
    // The process says where the metrics are, and why.
    else if (setting !== 'METRICS_PORT') settled[setting] = String(free ? port : await freePort(host));
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return settled;
};

const setTwice = (listening: readonly Listening[]): string[] => {
  const fixed = listening.filter(({ port }) => port !== 0);
  return [...groupBy(fixed, ({ port }) => port)].flatMap(([port, group]) => {
    if (group.length === 1) return [];
    const names = group.map(({ setting }) => setting);
    return [`${names.join(' and ')} are the same port, ${port}: set each to a port of its own`];
  });
};
