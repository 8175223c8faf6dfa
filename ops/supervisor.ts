/**
 * Keeps services running: Postgres, the event node and the roles. They start in order, restart with backoff when they
 * end unexpectedly, and stop in reverse order. A crash of one does not affect the others.
 */
import type { Logger } from '../infra/log.ts';
import { createBackoff, sleep } from '../infra/retry.ts';

/** A running service, from its start to its end. */
interface Instance {
  readonly pid: number;
  readonly address?: string;
  /** Resolves when the service has ended. It kills the service after its own time limit. */
  stop(): Promise<void>;
}

export interface Service {
  readonly name: string;
  /**
   * Resolves when the service is ready, and rejects when it ends before. `onExit` is called once when it ends
   * unexpectedly later. `signal` fires when the supervisor stops: give up then.
   */
  start(onExit: (why: string) => void, signal: AbortSignal): Promise<Instance>;
}

export interface SupervisorOptions {
  readonly log: Logger;
  /** Called after each start of a service: process ids have changed. */
  readonly onChange?: () => void;
  readonly minBackoffMs?: number;
  readonly maxBackoffMs?: number;
}

export interface Supervisor {
  /**
   * Resolves when the service is ready. Rejects when its first start fails: it is not repeated, because an operator has
   * to look at it.
   */
  start(service: Service): Promise<Instance>;
  /**
   * Stops the service and starts it again at once, without backoff. Safe in every state: a service that is starting is
   * stopped when it is ready and started once more, one that waits for its next attempt starts now.
   */
  restart(name: string): Promise<void>;
  /** Running services by name, in the order of their first start. */
  running(): ReadonlyMap<string, Instance>;
  /** Stops all services, the last started first. Safe to call at any time, and more than once. */
  stop(): Promise<void>;
}

/** A service that ran this long was healthy: its next restart is quick again. */
const HEALTHY_MS = 10_000;

export const createSupervisor = (options: SupervisorOptions): Supervisor => {
  const { log } = options;
  const stopping = new AbortController();
  const stopped = new Promise<string>((resolve) => {
    stopping.signal.addEventListener('abort', () => resolve('stopped'));
  });
  /** In the order of the first start. `undefined` = being restarted. */
  const instances = new Map<string, Instance | undefined>();
  const loops: Promise<void>[] = [];
  /** Services whose next end was asked for by `restart`. */
  const restarting = new Set<string>();
  /** Ends the wait before the next attempt. */
  const wake = new Map<string, AbortController>();

  /** A service runs also when its process id cannot be recorded, as on a full disk. */
  const changed = (): void => {
    try {
      options.onChange?.();
    } catch (err) {
      log.error({ err }, 'the running services were not recorded');
    }
  };

  /** Runs the service once. Resolves with the reason why it ended. */
  const live = async (service: Service, onReady: (instance: Instance) => void): Promise<string> => {
    let onExit: (why: string) => void = () => undefined;
    const exited = new Promise<string>((resolve) => {
      onExit = resolve;
    });
    const instance = await service.start(onExit, stopping.signal);
    instances.set(service.name, instance);
    changed();
    onReady(instance);
    if (restarting.has(service.name)) await instance.stop();
    return Promise.race([exited, stopped]);
  };

  /** Restarts the service until the supervisor stops. */
  const keep = async (service: Service, onReady: (instance: Instance) => void): Promise<void> => {
    const backoff = createBackoff(options.minBackoffMs ?? 200, options.maxBackoffMs ?? 10_000);
    let wasReady = false;
    for (;;) {
      const since = performance.now();
      const why = await live(service, (instance) => {
        wasReady = true;
        onReady(instance);
      }).catch((error: Error) => {
        if (!wasReady) throw error;
        return error.message;
      });
      if (stopping.signal.aborted) return;
      instances.set(service.name, undefined);
      if (restarting.delete(service.name)) {
        backoff.reset();
        continue;
      }
      if (performance.now() - since > HEALTHY_MS) backoff.reset();
      const waitMs = backoff.next();
      log.warn({ service: service.name, why, wait_ms: waitMs }, 'service ended, restarting');
      const awake = new AbortController();
      wake.set(service.name, awake);
      await sleep(waitMs, stopping.signal, awake.signal);
      wake.delete(service.name);
      if (stopping.signal.aborted) return;
      if (restarting.delete(service.name)) backoff.reset();
    }
  };

  return {
    start: (service) => {
      instances.set(service.name, undefined);
      return new Promise((resolve, reject) => {
        loops.push(keep(service, resolve).catch(reject));
      });
    },
    restart: async (name) => {
      if (!instances.has(name) || stopping.signal.aborted) return;
      restarting.add(name);
      wake.get(name)?.abort();
      await instances.get(name)?.stop();
    },
    running: () => new Map([...instances].filter((entry): entry is [string, Instance] => entry[1] !== undefined)),
    stop: async () => {
      stopping.abort();
      await Promise.all(loops);
      for (const [service, instance] of [...instances].reverse()) {
        await instance?.stop().catch((err: unknown) => log.error({ err, service }, 'service did not stop cleanly'));
      }
    },
  };
};
