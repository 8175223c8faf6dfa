/** How fast a body has to arrive: who sends less keeps a place and a connection for nothing. */
import type { IncomingMessage } from 'node:http';

export interface LeastRate {
  /** So much of a body has to arrive… */
  readonly bytes: number;
  /** …within each period of so many milliseconds, unless it has ended. */
  readonly withinMs: number;
}

/** 1 KiB a second: also a network that is lost for some seconds gets through. */
export const LEAST_RATE: LeastRate = { bytes: 15 * 1024, withinMs: 15_000 };

/**
 * Calls `onSlow`, at most once, when the body arrives too slowly. What we are too busy to read does not count.
 * @returns ends it
 */
export const watchRate = (
  req: IncomingMessage,
  onSlow: () => void,
  { bytes, withinMs }: LeastRate = LEAST_RATE,
): (() => void) => {
  let before = req.socket.bytesRead;
  const timer = setInterval(() => {
    const { bytesRead } = req.socket;
    const isSlow = bytesRead - before < bytes && !req.complete && !req.isPaused();
    before = bytesRead;
    if (!isSlow) return;
    clearInterval(timer);
    onSlow();
  }, withinMs).unref();
  return () => clearInterval(timer);
};

/** A body that is not there by then is slow. Only a poor network takes longer, or somebody who wants to keep a place. */
const SLOW_AFTER_MS = 1_000;

/**
 * Calls `onSlow` unless the body is there soon. It looks again after what has arrived was read: when we were busy, the
 * time is up before.
 * @returns ends it
 */
export const onceSlow = (req: Pick<IncomingMessage, 'complete'>, onSlow: () => void): (() => void) => {
  let isOver = false;
  const timer = setTimeout(() => setImmediate(() => isOver || req.complete || onSlow()), SLOW_AFTER_MS);
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
};
