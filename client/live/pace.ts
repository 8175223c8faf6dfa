/** Frames that begin and end subscriptions, no faster than the hub takes them: it closes a socket that sends too many. */
import type { ClientFrame } from '../generated/types.ts';
import { createAllowance } from './allowance.ts';

/** Of the 200 frames at once and 20 a second that a socket may send, `publish` has 50 and 10. A few are left for others. */
const BURST = 140;
const PER_SECOND = 9;

export interface Pace {
  /** In order. What is too much now waits; a `subscribe` that still waits is dropped with its `unsubscribe`. */
  send(frame: ClientFrame): void;
  /** The socket is gone: drops what waits. The next one has an allowance of its own. */
  reset(): void;
}

export const createPace = (send: (frame: ClientFrame) => void): Pace => {
  let allowance = createAllowance(BURST, PER_SECOND);
  let waiting: ClientFrame[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  const flush = (): void => {
    timer = undefined;
    while (waiting[0] && allowance.take()) {
      send(waiting[0]);
      waiting.shift();
    }
    if (waiting.length > 0) timer = setTimeout(flush, 1_000 / PER_SECOND);
  };
  /** Where the `subscribe` waits that this frame makes pointless; -1 without one. */
  const pointless = (frame: ClientFrame): number =>
    frame.type === 'unsubscribe'
      ? waiting.findIndex((each) => each.type === 'subscribe' && each.channel === frame.channel)
      : -1;

  return {
    send: (frame) => {
      if (frame.type === 'publish') return send(frame);
      const index = pointless(frame);
      if (index >= 0) return void waiting.splice(index, 1);
      waiting.push(frame);
      if (timer === undefined) flush();
    },
    reset: () => {
      clearTimeout(timer);
      timer = undefined;
      waiting = [];
      allowance = createAllowance(BURST, PER_SECOND);
    },
  };
};
