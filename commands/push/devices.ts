/** The devices of people: registered by the app, and gone with the sign-in, the account or the token. */
import { Rejected } from '../../domain/core/decider.ts';
import { DAY_MS } from '../../domain/core/instants.ts';
import { derivedId } from '../../infra/ids.ts';
import { inTransaction, type Queryable } from '../../infra/postgres.ts';
import type { PushDeps } from './deps.ts';
import { readPerson } from './segmentFacts.ts';
import type { Device, PushServiceName } from './service.ts';
import { addressProblem, areKeys } from './webPushAddress.ts';

/** Of one person. When there are more, the one that was seen least lately goes. */
export const MOST_DEVICES = 20;

interface AppFacts {
  readonly appVersion: string | null;
  readonly language: string | null;
}
export interface AppDevice extends AppFacts {
  readonly platform: Device['platform'];
  readonly token: string;
  readonly environment: Device['environment'];
}
export interface Subscription extends AppFacts {
  readonly endpoint: string;
  readonly keys: { readonly p256dh: string; readonly auth: string };
}
/** Whose device it is: someone signed in. */
export interface Holder {
  readonly personId: string;
  readonly sessionId: string;
}

/** As its person sees it: without the token. */
export interface DeviceRow {
  readonly id: string;
  readonly platform: Device['platform'];
  readonly environment: Device['environment'];
  readonly app_version: string | null;
  readonly language: string | null;
  readonly registered_at: string;
  readonly last_seen_at: string;
}
const SHOWN = 'id, platform, environment, app_version, language, registered_at, last_seen_at';

interface Registration extends AppFacts {
  readonly service: PushServiceName;
  readonly device: Device;
}

/** Versions as numbers that compare: a pre-release comes before its release. */
export const versionRank = (version: string): number[] => {
  const [numbers = '', suffix = ''] = version.split(/(?=[-+])/, 2);
  const [major = 0, minor = 0, patch = 0] = numbers.split('.').map(Number);
  return [major, minor, patch, suffix.startsWith('-') ? 0 : 1];
};

const idOf = (service: PushServiceName, token: string): string => derivedId('push device', service, token);

const APNS_TOKEN = /^(?:[0-9a-f]{2}){32,100}$/i;
const FCM_TOKEN = /^[A-Za-z0-9_:.-]{20,4096}$/;

/** A token that is registered again moves to the account that is signed in now. */
const register = async (deps: PushDeps, holder: Holder, registration: Registration): Promise<DeviceRow> => {
  const { service, device, appVersion, language } = registration;
  // First: while the event store is away, nothing is registered.
  const keepPerson = await readPerson(deps, holder.personId);
  return inTransaction(deps.pool, async (client) => {
    const { rows } = await client.query<DeviceRow>(
      `insert into ops.push_devices as known
         (id, person_id, session_id, service, platform, environment, token, keys, app_version, version_rank, language)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
       on conflict (id) do update set person_id = excluded.person_id, session_id = excluded.session_id,
         platform = excluded.platform, environment = excluded.environment, keys = excluded.keys,
         app_version = excluded.app_version, version_rank = excluded.version_rank, language = excluded.language,
         last_seen_at = now(), doubted_at = null,
         registered_at = case when known.person_id = excluded.person_id then known.registered_at else now() end
       returning ${SHOWN}`,
      [
        idOf(service, device.token),
        holder.personId,
        holder.sessionId,
        service,
        device.platform,
        device.environment,
        device.token,
        device.keys,
        appVersion,
        appVersion === null ? null : versionRank(appVersion),
        language,
      ],
    );
    await client.query(
      `delete from ops.push_devices where id in (
         select id from ops.push_devices where person_id = $1 order by last_seen_at desc, id offset $2)`,
      [holder.personId, MOST_DEVICES],
    );
    await keepPerson(client);
    return rows[0] as DeviceRow;
  });
};

/** @throws Rejected `invalid` for what is no token of the platform's service */
export const registerDevice = (deps: PushDeps, holder: Holder, app: AppDevice): Promise<DeviceRow> => {
  const { platform, token, environment, appVersion, language } = app;
  const service = platform === 'ios' ? 'apns' : 'fcm';
  const isToken = service === 'apns' ? APNS_TOKEN.test(token) : FCM_TOKEN.test(token);
  if (!isToken)
    throw new Rejected(
      'invalid',
      service === 'apns' ? 'token must be the device token of APNs in hexadecimal.' : 'token must be one of FCM.',
      { fields: ['token'] },
    );
  const device = { platform, environment, token: service === 'apns' ? token.toLowerCase() : token, keys: null };
  return register(deps, holder, { service, device, appVersion, language });
};

/** @throws Rejected `invalid` for a subscription that cannot be one of a browser */
export const subscribeBrowser = (deps: PushDeps, holder: Holder, to: Subscription): Promise<DeviceRow> => {
  const { endpoint, keys, appVersion, language } = to;
  const problem = addressProblem(endpoint, deps.settings);
  if (problem !== undefined) throw new Rejected('invalid', problem, { fields: ['endpoint'] });
  if (!areKeys(keys))
    throw new Rejected('invalid', 'keys must be p256dh, a point on P-256, and auth, 16 bytes.', { fields: ['keys'] });
  const device: Device = { platform: 'web', environment: 'production', token: endpoint, keys };
  return register(deps, holder, { service: 'web', device, appVersion, language });
};

/** Forgets one device of the person, by its token or the address of its subscription; otherwise those of the session. */
export const forgetDevices = async (
  { pool }: Pick<PushDeps, 'pool'>,
  { personId, sessionId }: Holder,
  token: string | undefined,
): Promise<void> => {
  if (token === undefined)
    await pool.query('delete from ops.push_devices where person_id = $1 and session_id = $2', [personId, sessionId]);
  else
    await pool.query('delete from ops.push_devices where person_id = $1 and id = any ($2)', [
      personId,
      [idOf('apns', token.toLowerCase()), idOf('fcm', token), idOf('web', token)],
    ]);
};

/** Whether a person has a device, as SQL. @param person an expression */
export const hasDevice = (person: string): string =>
  `exists (select from ops.push_devices d where d.person_id = ${person})`;

/** Those that messages reach, seen last first. */
export const devicesOf = async (pool: Queryable, personId: string): Promise<DeviceRow[]> => {
  const { rows } = await pool.query<DeviceRow>(
    `select ${SHOWN} from ops.push_devices d where person_id = $1
       and exists (select from ops.sessions s where s.id = d.session_id and s.ended_at is null)
     order by last_seen_at desc, id`,
    [personId],
  );
  return rows;
};

/** A doubtful word that a token is dead counts when it is said again after so long: no fault on the way lasts for a day. */
export const DOUBTED_MS = DAY_MS;

/**
 * Notes that a device is said to be dead in words that somebody else could have written.
 * @returns whether it was said before, `DOUBTED_MS` ago or earlier, and nothing was delivered since
 */
export const isDeadAgain = async (pool: Queryable, { id, since }: DeadDevice): Promise<boolean> => {
  const { rows } = await pool.query<{ is_dead: boolean }>(
    `update ops.push_devices set doubted_at = coalesce(doubted_at, now()) where id = $1 and last_seen_at < $2
     returning doubted_at <= now() - interval '${DOUBTED_MS} milliseconds' as is_dead`,
    [id, since],
  );
  return rows[0]?.is_dead ?? false;
};

/** Something was delivered to it. */
export const trustDevice = async (pool: Queryable, id: string): Promise<void> => {
  await pool.query('update ops.push_devices set doubted_at = null where id = $1', [id]);
};

/** A token that is dead. Devices that were registered again since the service said so stay. */
export interface DeadDevice {
  readonly id: string;
  /** RFC 3339. */
  readonly since: string;
}
export const forgetDead = async (pool: Queryable, dead: readonly DeadDevice[]): Promise<void> => {
  await pool.query(
    `delete from ops.push_devices d using unnest($1::uuid[], $2::timestamptz[]) as dead (id, since)
     where d.id = dead.id and d.last_seen_at < dead.since`,
    [dead.map(({ id }) => id), dead.map(({ since }) => since)],
  );
};
