/**
 * A system beside which an API and a worker run that reach both stores through forwarders. A test can cut, hold and slow
 * down their connections, while the processes of the system itself reach their stores.
 */
import { freePort } from '../../ops/ports.ts';
import { type Forwarder, startForwarder } from '../kit/forwarder.ts';
import { type CallApi, caller } from '../kit/http.ts';
import { healthy, type RoleProcess, startRole, startWorld, type World } from '../kit/world.ts';

export const ways = ['event store', 'database'] as const;

export interface WiredWorld extends World {
  /** The address of the API behind the forwarders. */
  readonly api: string;
  /** Asks both APIs in turn. */
  readonly call: CallApi;
  readonly ways: Readonly<Record<(typeof ways)[number], Forwarder>>;
}

/** The same server over TCP at another port, also when the address names its socket. */
const at = (address: string, port: number): string =>
  Object.assign(new URL(address), { host: `127.0.0.1:${port}`, ...(address.startsWith('postgres') && { search: '' }) })
    .href;

/** Starts it; `dataDir` as for `startWorld`. */
export const startWiredWorld = async (dataDir?: string): Promise<WiredWorld> => {
  const world = await startWorld({}, dataDir);
  const stopped: (() => Promise<unknown>)[] = [world.stop];
  const stop = async () => {
    for (const each of stopped.toReversed()) await each();
  };
  try {
    const system = await world.runtime();
    const wayTo = async (address: string): Promise<Forwarder> => {
      const port = Number(new URL(address).port);
      const way = await startForwarder(() => [port]);
      stopped.push(way.stop);
      return way;
    };
    const open = { 'event store': await wayTo(system.eventStore), database: await wayTo(system.databaseUrl) };
    const stores = {
      databaseUrl: at(system.databaseUrl, open.database.port),
      eventStore: at(system.eventStore, open['event store'].port),
      sandbox: system.sandbox,
    };
    const port = await freePort('127.0.0.1');
    const settings = { DATA_DIR: world.dataDir, PORT: String(port), METRICS_PORT: '0' };
    for (const role of ['api', 'worker']) {
      const started: RoleProcess = startRole(role, stores, settings);
      stopped.push(started.stop);
    }
    await healthy(port);
    const api = `http://127.0.0.1:${port}`;
    const calls = [caller(system.api), caller(api)];
    let asked = 0;
    const call: CallApi = (...request) => (calls[asked++ % calls.length] as CallApi)(...request);
    return { ...world, api, call, ways: open, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};
