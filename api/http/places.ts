/**
 * Places for requests. An upload, and any other body that is slow, takes as long as its network needs, so that these have
 * places of their own and leave those of others alone. Emergencies and health take none: they are always answered.
 */
import type { IncomingMessage } from 'node:http';
import { createInFlight, type InFlight } from '../../infra/inFlight.ts';
import { services } from './access.ts';
import { HttpError } from './errors.ts';
import { onceSlow } from './leastRate.ts';
import { addressesOf, type Route } from './route.ts';

/** An address can be that of a hotel. */
const REQUESTS = { total: 2_000, perKey: 400 };
/** For uploads, and as many for other slow bodies. */
const SLOW = { total: 200, perKey: 60 };
const OF_ACCOUNT = { total: SLOW.total, perKey: 4 };
/** From an address, of senders whom we do not know: they leave places of the address to those whom we know. */
const OF_NOBODY = { total: SLOW.total, perKey: 20 };

/** What is asked all the time: whether this process is well. */
export const HEALTH_PATHS: ReadonlySet<string> = new Set([
  '/health',
  '/ready',
  ...services.map((name) => `/api/v1/${name}/health`),
]);

type Matched = Pick<Route, 'path' | 'service' | 'access'>;

/** Whether a path is one of these operations: it is asked before it is known which operation answers. */
const pathsOf = (routes: readonly Matched[]): ((path: string) => boolean) => {
  const patterns = routes
    .flatMap(addressesOf)
    .map((address) => new RegExp(`^${address.replaceAll(/:\w+/g, '[^/]+')}/?$`));
  return (path) => patterns.some((pattern) => pattern.test(path));
};

/** Operations for emergencies. */
export const isEmergencyOf = (routes: readonly Matched[]): ((path: string) => boolean) =>
  pathsOf(routes.filter(({ access }) => access === 'emergency'));

/** The place of one request. */
export interface Place {
  /**
   * Waits for the body. Until it is there, others have the place. When it is slow, it needs one of those for slow bodies.
   * @param account undefined when we do not know who sends
   * @throws HttpError 408 when it is slow, and too many others are; 503 when it is there, and there is no place
   */
  receive<T>(req: Pick<IncomingMessage, 'complete'>, account: string | undefined, reading: Promise<T>): Promise<T>;
  leave(): void;
}

export interface Places {
  /** Takes a place for a request to `path`. @throws HttpError 503 when there is none */
  take(path: string, address: string): Place;
  /** Runs the upload of an account. @throws HttpError 429 when it has too many at once */
  upload<T>(account: string, run: () => Promise<T>): Promise<T>;
}

const nothing = (): void => undefined;
const noPlace: Place = { receive: (_req, _account, reading) => reading, leave: nothing };

const atCapacity = () => new HttpError('unavailable', 'The server is at capacity. Try again shortly.');
const tooManyUploads = () =>
  new HttpError('rate_limited', `At most ${OF_ACCOUNT.perKey} uploads at a time. Try again when one has ended.`, {
    headers: { 'retry-after': '5' },
  });
const tooManySlow = () =>
  new HttpError(
    'too_slow',
    `The body arrives slowly, and so do others: at most ${OF_ACCOUNT.perKey} at a time of an account, and ${SLOW.perKey} of an address (${OF_NOBODY.perKey} without an account). Try again in some seconds.`,
    { headers: { connection: 'close', 'retry-after': '5' } },
  );

interface Limits {
  readonly total: number;
  readonly perKey: number;
}
/** Of what there are places for in all, and for each address or account. */
const places = (what: string, { total, perKey }: Limits, key: string) => [
  { key: what, max: total },
  { key: `${what} ${key}`, max: perKey },
];

/** @returns gives the places back */
const enter = (inFlight: InFlight, taken: ReturnType<typeof places>, full: () => HttpError): (() => void) => {
  const leave = inFlight.take(taken);
  if (!leave) throw full();
  return leave;
};

/** Places for slow bodies. */
const createSlow = (inFlight: InFlight) => {
  /** @returns what gives the place back. @throws HttpError 408 when there is none */
  const take = (address: string, account: string | undefined): (() => void) => {
    const own =
      account === undefined
        ? places('slow of nobody', OF_NOBODY, address)
        : places('slow of accounts', OF_ACCOUNT, account);
    return enter(inFlight, [...own, ...places('slow', SLOW, address)], tooManySlow);
  };
  /** Waits for a body, and takes a place for it once it is slow. */
  return async <T>(
    req: Pick<IncomingMessage, 'complete'>,
    { address, account }: { address: string; account: string | undefined },
    reading: Promise<T>,
  ): Promise<T> => {
    let leave = nothing;
    let endWatch = nothing;
    const refused = new Promise<never>((_, reject) => {
      endWatch = onceSlow(req, () => {
        try {
          leave = take(address, account);
        } catch (error) {
          reject(error);
        }
      });
    });
    return Promise.race([reading, refused]).finally(() => {
      endWatch();
      leave();
    });
  };
};

export const createPlaces = (routes: readonly (Matched & Pick<Route, 'spec'>)[]): Places => {
  const isEmergency = isEmergencyOf(routes);
  const isUpload = pathsOf(routes.filter(({ spec }) => spec.form !== undefined));
  const inFlight = createInFlight();
  const receiveSlow = createSlow(inFlight);

  const placeOf = (taken: ReturnType<typeof places>, address: string): Place => {
    const take = () => enter(inFlight, taken, atCapacity);
    let giveBack = take();
    const leave = () => {
      giveBack();
      giveBack = nothing;
    };
    return {
      leave,
      receive: async (req, account, reading) => {
        if (req.complete) return reading;
        leave();
        const received = await receiveSlow(req, { address, account }, reading);
        giveBack = take();
        return received;
      },
    };
  };
  return {
    take: (path, address) =>
      isEmergency(path) || HEALTH_PATHS.has(path)
        ? noPlace
        : placeOf(isUpload(path) ? places('uploads', SLOW, address) : places('requests', REQUESTS, address), address),
    upload: async (account, run) => {
      const leave = enter(inFlight, places('uploads of accounts', OF_ACCOUNT, account), tooManyUploads);
      return run().finally(leave);
    },
  };
};
