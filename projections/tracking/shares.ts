/** Who may see whose track, until when. */

import { type Static, Type } from '@sinclair/typebox';
import { Instant, Uuid } from '../../domain/core/schema.ts';
import { trackingPurpose } from '../../domain/tracking/purpose.ts';
import { userChannel } from '../accounts/channels.ts';
import { type Page, type Paging, pageOf } from '../engine/paging.ts';
import { type ReadDb, tables } from '../engine/readDb.ts';
import { readModel } from '../engine/readModel.ts';
import { wireForm } from '../engine/wire.ts';
import { trackingChannel } from './channels.ts';

const seen = {
  session_id: Uuid,
  owner_id: Uuid,
  /** Since when: earlier points are not shown. */
  shared_at: Instant,
  expires_at: Instant,
};
const Row = Type.Object({ ...seen, viewer_id: Uuid });
export type TrackingShareRow = Static<typeof Row>;

/** As viewers see it: they do not learn who else sees the track. */
export const SharedTrack = Type.Object(seen, { $id: 'SharedTrack' });
export type SharedTrack = Static<typeof SharedTrack>;
export const sharedTrack = ({ viewer_id: _, ...shown }: TrackingShareRow): SharedTrack => shown;

const keys = ({ streamId, data }: { readonly streamId: string; readonly data: { readonly viewerId: string } }) => [
  { session_id: streamId, viewer_id: data.viewerId },
];

export const trackingShares = readModel('tracking_shares', {
  version: 1,
  row: Row,
  key: ['session_id', 'viewer_id'],
  personal: {
    of: 'viewer_id',
    texts: [],
    erased: 'deleted',
    others: { owner_id: 'deleted' },
    why: trackingPurpose,
    kept: { until: 'the session ends, or the person revokes it' },
  },
  wire: wireForm(SharedTrack, sharedTrack),
  on: {
    TrackShared: {
      keys,
      fold: (row, { streamId, at, data }) => ({
        session_id: streamId,
        owner_id: data.ownerId,
        viewer_id: data.viewerId,
        shared_at: row?.shared_at ?? at,
        expires_at: data.expiresAt,
      }),
    },
    TrackShareEnded: { keys, fold: () => null },
  },
  indexes: ['viewer_id, shared_at desc'],
  publishTo: [
    {
      channel: trackingChannel,
      idsOf: ({ session_id }) => [session_id],
      audience: 'guest',
      memberOf: ({ viewer_id }) => viewer_id,
    },
    { channel: userChannel, idsOf: ({ viewer_id }) => [viewer_id], audience: 'guest' },
  ],
});
const rows = (db: ReadDb) => tables(db, trackingShares).selectFrom('tracking_shares').selectAll();

/** The share by which an account may see a track. It may be over: then it is about to be removed. */
export const shareOf = (db: ReadDb, sessionId: string, viewerId: string): Promise<TrackingShareRow | undefined> =>
  rows(db).where('session_id', '=', sessionId).where('viewer_id', '=', viewerId).executeTakeFirst();

/** The shares of a session: at most 20. */
export const sharesOf = (db: ReadDb, sessionId: string): Promise<TrackingShareRow[]> =>
  rows(db).where('session_id', '=', sessionId).orderBy('shared_at').orderBy('viewer_id').execute();

/** The tracks that an account may see, the newest share first. */
export const sharedWith = (db: ReadDb, viewerId: string, paging: Paging): Promise<Page<TrackingShareRow>> =>
  pageOf(db, rows(db).where('viewer_id', '=', viewerId).orderBy('shared_at', 'desc').orderBy('session_id'), paging);
