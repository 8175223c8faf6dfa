/** What one client may take of the hub. Tests and operators may set each lower or higher. */
export interface Limits {
  readonly frameBytes: number;
  /** Frames a socket may send at once, and the rate at which that allowance comes back. */
  readonly frameBurst: number;
  readonly framesPerSecond: number;
  readonly subscriptions: number;
  readonly socketsPerAccount: number;
  /** High, because a whole resort may sit behind one address. */
  readonly socketsPerAddress: number;
  readonly sockets: number;
  /** How long a socket may stay open before it has said who it is. */
  readonly authMs: number;
  /** Silence after which a socket is dropped; it is pinged before that. At least 8 s. */
  readonly idleSeconds: number;
  /** What may wait for a socket that does not read, before it is closed as a slow consumer. */
  readonly queueFrames: number;
  readonly queueBytes: number;
}

export const defaultLimits: Limits = {
  frameBytes: 16 * 1024,
  frameBurst: 200,
  framesPerSecond: 20,
  subscriptions: 100,
  socketsPerAccount: 20,
  socketsPerAddress: 1_000,
  sockets: 20_000,
  authMs: 5_000,
  idleSeconds: 60,
  queueFrames: 1_000,
  queueBytes: 1024 * 1024,
};

/** An allowance of `burst` that comes back at `perSecond`. `take` is false when it is used up. */
export const createAllowance = (burst: number, perSecond: number): { take(): boolean } => {
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

/** Runs at most `max` works at once, the others in the order they came. */
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
