/** Somebody who asks all the time whether all is well and calls for help, while faults befall a system. */
import { setTimeout as delay } from 'node:timers/promises';
import { caller, type Reply } from '../kit/http.ts';

const PAUSE_MS = 250;

export interface Watch {
  /** The slowest answers so far, in milliseconds. */
  readonly slowest: { readonly health: number; readonly help: number };
  /** Answers that must never be: neither help nor a promise to bring it, and a state of health that is none. */
  readonly wrong: readonly string[];
  stop(): Promise<void>;
}

/** Somebody in need gets help, or hears that it is on its way. */
const isHelp = ({ status, body }: Reply) => status < 300 || (status === 503 && body.code === 'sos_delayed');
const isHealth = ({ status }: Reply) => status === 200 || status === 503;

/** @param api the address of the API @param token of who calls for help */
export const startWatch = (api: string, token: () => string): Watch => {
  const call = caller(api);
  const slowest = { health: 0, help: 0 };
  const wrong: string[] = [];
  let going = true;
  const ask = async (
    what: keyof typeof slowest,
    isRight: (reply: Reply) => boolean,
    request: string,
    body?: object,
  ) => {
    while (going) {
      const begun = performance.now();
      const reply = await call(request, { token: token(), ...(body && { body }) }).catch((error: Error) => error);
      slowest[what] = Math.max(slowest[what], Math.round(performance.now() - begun));
      if (reply instanceof Error) wrong.push(`${request}: ${reply.cause ?? reply}`);
      else if (!isRight(reply)) wrong.push(`${request}: ${reply.status} ${JSON.stringify(reply.body)}`);
      await delay(PAUSE_MS);
    }
  };
  const done = Promise.all([
    ask('health', isHealth, 'GET /health'),
    ask('help', isHelp, 'POST /api/v1/sos/request', { lat: 43.6781, lon: 40.2594 }),
  ]);
  return {
    slowest,
    wrong,
    stop: async () => {
      going = false;
      await done;
    },
  };
};
