/** TCP ports: which is free, and a clear word when a wanted one is not. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { type Config, ConfigError, type PortSetting } from './config.ts';

/** Listens for a moment. The port that was got (`port` 0 = any free one), or `undefined` when it is taken. */
export const tryPort = async (host: string, port: number): Promise<number | undefined> => {
  const server = createServer();
  server.listen({ host, port, exclusive: true });
  try {
    await once(server, 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return undefined;
    throw error;
  }
  const got = (server.address() as AddressInfo).port;
  server.close();
  await once(server, 'close');
  return got;
};

/** `wanted` where it is free, else any free port. */
export const freePort = async (host: string, wanted = 0): Promise<number> => {
  const port = (await tryPort(host, wanted)) ?? (await tryPort(host, 0));
  if (port === undefined) throw new Error(`no free port on ${host}`);
  return port;
};

export const portTaken = (setting: PortSetting, config: Config): ConfigError =>
  new ConfigError([`${setting} ${config[setting]} is taken by another program: set ${setting} to a free port`]);
