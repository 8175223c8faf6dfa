/** TCP ports: finds free ones, and explains when a configured one is taken. */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { ConfigError } from '../infra/settings.ts';
import type { Config, PortSetting } from './config.ts';

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

/** Returns `preferred` if it is free, else any free port. Never returns the same port twice in this process. */
export const freePort = async (host: string, preferred = 0): Promise<number> => {
  const others = Array.from({ length: ATTEMPTS }, () => randomInt(FIRST, LAST + 1));
  const fresh = others.filter((port) => !handedOut.has(port));
  for (const port of preferred === 0 ? fresh : [preferred, ...fresh])
    if (await isFree(host, port)) {
      handedOut.add(port);
      return port;
    }
  throw new Error(`no free port on ${host}`);
};

export const portTaken = (setting: PortSetting, config: Config): ConfigError =>
  new ConfigError([`${setting} ${config[setting]} is taken by another program: set ${setting} to a free port`]);
