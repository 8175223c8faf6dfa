/**
 * Places for requests. An upload takes as long as its network needs, so that uploads have places of their own and leave
 * those of others alone. Emergencies and health take none: they are always answered.
 */
import { services } from './access.ts';
import { HttpError } from './errors.ts';
import { createInFlight, type InFlight } from './inFlight.ts';
import { addressesOf, type Route } from './route.ts';

/** An address can be that of a hotel. */
const REQUESTS = { total: 2_000, perKey: 400 };
const UPLOADS = { total: 200, perKey: 60 };
const UPLOADS_OF_ACCOUNT = 4;

const HEALTH_PATHS: ReadonlySet<string> = new Set(['/health', ...services.map((name) => `/api/v1/${name}/health`)]);

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

export interface Places {
  /** Takes a place for a request to `path`. @returns what gives it back. @throws HttpError 503 when there is none */
  take(path: string, address: string): () => void;
  /** Runs the upload of an account. @throws HttpError 429 when it has too many at once */
  upload<T>(account: string, run: () => Promise<T>): Promise<T>;
}

const none = (): void => undefined;

const atCapacity = () =>
  new HttpError('unavailable', 'The server is at capacity. Try again shortly.', { headers: { 'retry-after': '1' } });
const tooManyUploads = () =>
  new HttpError('rate_limited', `At most ${UPLOADS_OF_ACCOUNT} uploads at a time. Try again when one has ended.`, {
    headers: { 'retry-after': '5' },
  });

export const createPlaces = (routes: readonly (Matched & Pick<Route, 'spec'>)[]): Places => {
  const isEmergency = isEmergencyOf(routes);
  const isUpload = pathsOf(routes.filter(({ spec }) => spec.form !== undefined));
  const [requests, uploads] = [createInFlight(REQUESTS), createInFlight(UPLOADS)];
  const ofAccounts = createInFlight({ total: UPLOADS.total, perKey: UPLOADS_OF_ACCOUNT });

  const enter = (inFlight: InFlight, key: string, full: () => HttpError) => {
    if (!inFlight.enter(key)) throw full();
    return () => inFlight.leave(key);
  };
  return {
    take: (path, address) =>
      isEmergency(path) || HEALTH_PATHS.has(path)
        ? none
        : enter(isUpload(path) ? uploads : requests, address, atCapacity),
    upload: async (account, run) => {
      const leave = enter(ofAccounts, account, tooManyUploads);
      return run().finally(leave);
    },
  };
};
