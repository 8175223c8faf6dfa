/** TCP ports: which is free, and a clear word when a wanted one is not. */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { ConfigError } from '../infra/settings.ts';
import type { Config, PortSetting } from './config.ts';

/** Listens for a moment. False when the port is taken. */
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
 * Some seconds pass until a port is listened on. So it is none that the system gives to outgoing connections meanwhile
 * (Linux from 32768 on, others from 49152), and none that was handed out before.
 */
const [FIRST, LAST] = [20_000, 32_767];
const ATTEMPTS = 200;
const handedOut = new Set<number>();

/** `wanted` where it is free, else any free port, the same to nobody else in this process. */
export const freePort = async (host: string, wanted = 0): Promise<number> => {
  const others = Array.from({ length: ATTEMPTS }, () => randomInt(FIRST, LAST + 1));
  const fresh = others.filter((port) => !handedOut.has(port));
  for (const port of wanted === 0 ? fresh : [wanted, ...fresh])
    if (await isFree(host, port)) {
      handedOut.add(port);
      return port;
    }
  throw new Error(`no free port on ${host}`);
};

export const portTaken = (setting: PortSetting, config: Config): ConfigError =>
  new ConfigError([`${setting} ${config[setting]} is taken by another program: set ${setting} to a free port`]);
