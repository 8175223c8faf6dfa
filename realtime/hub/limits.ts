/** What one client may use of the hub. */
export interface Limits {
  readonly frameBytes: number;
  /** Of `publish`: room for a session description of 64 KiB. */
  readonly publishBytes: number;
  /** Frames that a socket may send at once, and the rate at which this allowance refills. */
  readonly frameBurst: number;
  readonly framesPerSecond: number;
  readonly subscriptions: number;
  readonly socketsPerAccount: number;
  /** High, because all guests of a hotel may share one address. */
  readonly socketsPerAddress: number;
  readonly sockets: number;
  /** Connections in all: plain requests beside the sockets. Over uWebSockets.js, the system's limit holds instead. */
  readonly connections: number;
  /** How long a socket may stay open without authentication. */
  readonly authMs: number;
  /** A socket that is silent for this long is dropped; it is pinged before. At least 8. */
  readonly idleSeconds: number;
  /** How much may wait for a socket that does not read. Above this it is closed as a slow consumer. */
  readonly queueFrames: number;
  readonly queueBytes: number;
}

export const defaultLimits: Limits = {
  frameBytes: 16 * 1024,
  publishBytes: 72 * 1024,
  frameBurst: 200,
  framesPerSecond: 20,
  subscriptions: 100,
  socketsPerAccount: 20,
  socketsPerAddress: 1_000,
  sockets: 20_000,
  connections: 25_000,
  authMs: 5_000,
  idleSeconds: 60,
  queueFrames: 1_000,
  queueBytes: 1024 * 1024,
};

export interface Allowance {
  take(): boolean;
}

/** A token bucket of `burst` that refills at `perSecond`. `take` is false when it is empty. */
export const createAllowance = (burst: number, perSecond: number): Allowance => {
  let left = burst;
  let at = performance.now();
  return {
    take: () => {
      const now = performance.now();
      left = Math.min(burst, left + ((now - at) / 1_000) * perSecond);
      at = now;
      if (left < 1) return false;
      left -= 1;
      return true;
    },
  };
};

/** Runs at most `max` tasks at once, the others in the order of their calls. */
export const createGate = (max: number): (<T>(work: () => Promise<T>) => Promise<T>) => {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= max) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
};
