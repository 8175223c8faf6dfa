/** Webcams, and the last picture of each. */
import { createHash } from 'node:crypto';
import { Rejected } from '../../domain/core/decider.ts';
import { MINUTE_MS } from '../../domain/core/instants.ts';
import { type WebcamCommand, type WebcamDetails, webcam } from '../../domain/resort/webcam.ts';
import { derivedId } from '../../infra/ids.ts';
import { migrations } from '../../infra/migrations.ts';
import type { CommandContext } from '../core/handle.ts';
import type { ResortDeps } from './deps.ts';

type Deps = Pick<ResortDeps, 'aggregates' | 'pictures'>;

export const pictureMigrations = migrations('webcams', {
  '0001_pictures': `
    create table ops.webcam_pictures (
      webcam_id uuid primary key,
      picture bytea not null,
      type text not null,
      etag text not null,
      taken_at timestamptz not null default now()
    );
  `,
  personalData: { 'ops.webcam_pictures': { nothing: 'pictures of the mountain by webcams of the resort' } },
});

const run = async ({ aggregates, pictures }: Deps, context: CommandContext, id: string, command: WebcamCommand) => {
  if ('details' in command && !pictures.isAllowed(command.details.snapshotUrl))
    throw new Rejected('invalid', 'Pictures of this host are not allowed: the operator must name it in WEBCAM_HOSTS.', {
      fields: ['snapshot_url'],
    });
  await aggregates.handle(webcam, id, command, context);
};

/** @returns its id @throws Rejected `invalid` for a host that is not allowed */
export const addWebcam = async (deps: Deps, context: CommandContext, details: WebcamDetails): Promise<string> => {
  const id = derivedId(context.commandId, 'webcam');
  await run(deps, context, id, { type: 'AddWebcam', details });
  return id;
};

/** @throws Rejected `not_found`, `invalid` for a host that is not allowed */
export const changeWebcam = (deps: Deps, context: CommandContext, id: string, details: WebcamDetails): Promise<void> =>
  run(deps, context, id, { type: 'ChangeWebcam', details });

/** Safe to repeat. @throws Rejected `not_found` */
export const removeWebcam = async (
  deps: Deps & Pick<ResortDeps, 'pool'>,
  context: CommandContext,
  id: string,
): Promise<void> => {
  await run(deps, context, id, { type: 'RemoveWebcam' });
  await deps.pool.query('delete from ops.webcam_pictures where webcam_id = $1', [id]);
};

export interface KeptPicture {
  readonly picture: Buffer;
  readonly type: string;
  readonly etag: string;
  /** How old it is, in milliseconds. */
  readonly age: number;
}

/** A picture is fetched again after this long. */
const PICTURE_FRESH_MS = MINUTE_MS;
/** After a failure, the camera is left alone for this long. */
const RETRY_MS = 30_000;

const attempts = new WeakMap<object, Map<string, { readonly at: number; readonly done: Promise<void> }>>();

const load = async ({ pool }: Pick<ResortDeps, 'pool'>, id: string): Promise<KeptPicture | undefined> => {
  const { rows } = await pool.query<KeptPicture>(
    `select picture, type, etag, (extract(epoch from now() - taken_at) * 1000)::float8 as age
     from ops.webcam_pictures where webcam_id = $1`,
    [id],
  );
  return rows[0];
};

const fetchAgain = async (
  { pool, pictures, log }: Pick<ResortDeps, 'pool' | 'pictures' | 'log'>,
  id: string,
  url: string,
) => {
  try {
    const { bytes, type } = await pictures.fetch(url);
    const etag = `"${createHash('sha1').update(bytes).digest('base64url')}"`;
    await pool.query(
      `insert into ops.webcam_pictures (webcam_id, picture, type, etag) values ($1, $2, $3, $4)
       on conflict (webcam_id) do update set picture = excluded.picture, type = excluded.type, etag = excluded.etag,
         taken_at = now()`,
      [id, bytes, type, etag],
    );
  } catch (err) {
    log.warn({ err, webcam: id }, 'the picture of a webcam could not be fetched: the last one is shown');
  }
};

/**
 * The picture of a webcam: at most a minute old if the camera answers, otherwise the last one. Requests that come together
 * fetch it once.
 * @throws Rejected `not_found` when there was never one
 */
export const pictureOf = async (
  deps: Pick<ResortDeps, 'pool' | 'pictures' | 'log'>,
  id: string,
  url: string,
): Promise<KeptPicture> => {
  const kept = await load(deps, id);
  if (kept && kept.age < PICTURE_FRESH_MS) return kept;
  const known = attempts.get(deps.pool) ?? new Map();
  attempts.set(deps.pool, known);
  const now = performance.now();
  const last = known.get(id);
  const attempt = last && now - last.at < RETRY_MS ? last : { at: now, done: fetchAgain(deps, id, url) };
  known.set(id, attempt);
  await attempt.done;
  const picture = (await load(deps, id)) ?? kept;
  if (!picture) throw new Rejected('not_found', 'There is no picture of this webcam yet. Try again in a minute.');
  return picture;
};
