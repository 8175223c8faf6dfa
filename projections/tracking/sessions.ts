/** Tracking sessions, as their owners see them. */

import { type Static, Type } from '@sinclair/typebox';
import { DateOnly, Instant, Nullable, OneOf, Uuid } from '../../domain/core/schema.ts';
import { trackingPurpose } from '../../domain/tracking/index.ts';
import { endings } from '../../domain/tracking/session.ts';
import { TrackSummary } from '../../domain/tracking/summary.ts';
import { snakeSchema, toSnake } from '../../infra/naming.ts';
import { publicLink } from '../../infra/signedLinks.ts';
import { userChannel } from '../accounts/channels.ts';
import { type Page, type Paging, pageOf } from '../engine/paging.ts';
import { type ReadDb, tables } from '../engine/readDb.ts';
import { readModel } from '../engine/readModel.ts';
import { wireForm } from '../engine/wire.ts';

export const sessionStatuses = ['open', 'finished'] as const;

const totals = snakeSchema(TrackSummary).properties;
const known = {
  id: Uuid,
  status: OneOf(sessionStatuses),
  started_at: Instant,
  /** The day that it counts for, in the time zone of the resort. */
  day: DateOnly,
  finished_at: Nullable(Instant),
  /** `abandoned`: it got no points for hours. */
  ending: Nullable(OneOf(endings)),
  /** Points from before the end are accepted until then; null while it is open. */
  accepts_points_until: Nullable(Instant),
};

/** What it adds to its day, where another device of the person recorded the same time; null: all of it. */
const adds = Nullable(Type.Object(totals));

/** The totals are 0 while it is open. */
const Row = Type.Object({ ...known, account_id: Uuid, ...totals, adds });
export type TrackingSessionRow = Static<typeof Row>;

export const TrackingSession = Type.Object(
  { ...known, summary: Nullable(Type.Object(totals)), adds },
  { $id: 'TrackingSession' },
);
export type TrackingSession = Static<typeof TrackingSession>;

const nothing = toSnake<Static<typeof TrackSummary>>({
  points: 0,
  distanceM: 0,
  verticalM: 0,
  ascentM: 0,
  runs: 0,
  lifts: 0,
  movingS: 0,
  maxSpeedKmh: 0,
});
const names = Object.keys(totals) as (keyof typeof nothing)[];

/** A session as its owner sees it. */
export const shownSession = (row: TrackingSessionRow): TrackingSession => ({
  id: row.id,
  status: row.status,
  started_at: row.started_at,
  day: row.day,
  finished_at: row.finished_at,
  ending: row.ending,
  accepts_points_until: row.accepts_points_until,
  adds: row.adds,
  summary:
    row.status === 'open' ? null : (Object.fromEntries(names.map((name) => [name, row[name]])) as typeof nothing),
});

export const trackingSessions = readModel('tracking_sessions', {
  version: 2,
  row: Row,
  key: 'id',
  personalData: {
    whose: 'account_id',
    erased: 'deleted',
    why: trackingPurpose,
    retention: 'account',
    exported: {
      schema: Type.Object({ gpx_url: Type.String({ format: 'uri', description: 'The track as a GPX file.' }) }),
      of: ({ id }) => ({ gpx_url: publicLink(`/api/v1/tracking/sessions/${id}/gpx`) }),
    },
  },
  wire: wireForm(TrackingSession, shownSession),
  on: {
    TrackingSessionStarted: (_, { streamId, data }) => ({
      id: streamId,
      account_id: data.accountId,
      status: 'open' as const,
      started_at: data.startedAt,
      day: data.day,
      finished_at: null,
      ending: null,
      accepts_points_until: null,
      adds: null,
      ...nothing,
    }),
    TrackingSessionFinished: (row, { data }) =>
      row
        ? {
            ...row,
            status: 'finished' as const,
            finished_at: data.finishedAt,
            ending: data.ending,
            accepts_points_until: data.acceptsPointsUntil,
            ...toSnake(data.summary),
            adds: data.adds ? toSnake(data.adds) : null,
          }
        : null,
    TrackingSummaryCorrected: (row, { data }) =>
      row
        ? {
            ...row,
            finished_at: data.finishedAt,
            ...toSnake(data.summary),
            adds: data.adds ? toSnake(data.adds) : null,
          }
        : null,
    TrackingSessionDiscarded: () => null,
  },
  indexes: ['account_id, day desc, started_at desc, id'],
  publishTo: [{ channel: userChannel, idsOf: ({ account_id }) => [account_id], audience: 'guest' }],
});
export const sessionById = (db: ReadDb, id: string): Promise<TrackingSessionRow | undefined> =>
  tables(db, trackingSessions).selectFrom('tracking_sessions').selectAll().where('id', '=', id).executeTakeFirst();

/** Of one account, the newest first. `from` and `to`: days, both included. */
export const listSessions = (
  db: ReadDb,
  accountId: string,
  {
    status,
    from,
    to,
    ...paging
  }: {
    readonly status?: TrackingSessionRow['status'] | undefined;
    readonly from?: string | undefined;
    readonly to?: string | undefined;
  } & Paging,
): Promise<Page<TrackingSessionRow>> => {
  const matching = tables(db, trackingSessions)
    .selectFrom('tracking_sessions')
    .selectAll()
    .where('account_id', '=', accountId)
    .$if(status !== undefined, (q) => q.where('status', '=', status as TrackingSessionRow['status']))
    .$if(from !== undefined, (q) => q.where('day', '>=', from as string))
    .$if(to !== undefined, (q) => q.where('day', '<=', to as string));
  const ordered = matching.orderBy('day', 'desc').orderBy('started_at', 'desc').orderBy('id');
  return pageOf(db, ordered, paging);
};
