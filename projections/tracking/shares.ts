/** Who may see whose track, until when. */

import { type Static, Type } from '@sinclair/typebox';
import { Instant, Uuid } from '../../domain/core/schema.ts';
import { trackingPurpose } from '../../domain/tracking/index.ts';
import type { JsonText } from '../../infra/jsonText.ts';
import { userChannel } from '../accounts/channels.ts';
import { shownNamesOf } from '../accounts/shortNames.ts';
import { type Page, type Paging, pageOf } from '../engine/paging.ts';
import { type ReadDb, tables } from '../engine/readDb.ts';
import { readModel } from '../engine/readModel.ts';
import { formsOf } from '../engine/replies.ts';
import { wireFormWith } from '../engine/wire.ts';
import { trackingChannel } from './channels.ts';
import { trackPeople } from './people.ts';

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
export const SharedTrack = Type.Object(
  {
    ...seen,
    owner_name: Type.String({ description: 'First and last name: who shares a track is no stranger to its viewers.' }),
  },
  { $id: 'SharedTrack' },
);
export type SharedTrack = Static<typeof SharedTrack>;

const keys = ({ streamId, data }: { readonly streamId: string; readonly data: { readonly viewerId: string } }) => [
  { session_id: streamId, viewer_id: data.viewerId },
];

export const trackingShares = readModel('tracking_shares', {
  version: 1,
  row: Row,
  key: ['session_id', 'viewer_id'],
  personalData: {
    whose: 'viewer_id',
    erased: 'deleted',
    others: { owner_id: 'deleted' },
    why: trackingPurpose,
    retention: { until: 'the session ends, or the person revokes it' },
  },
  wire: wireFormWith({
    schema: SharedTrack,
    make: ({ viewer_id: _, ...shown }: TrackingShareRow) => shown,
    overlay: {
      fields: ['owner_name'],
      needs: ['owner_id'],
      read: async (db, rows) => {
        const nameOf = await shownNamesOf(
          db,
          trackPeople,
          rows.map(({ owner_id }) => owner_id),
        );
        return ({ owner_id }) => ({ owner_name: nameOf(owner_id).full });
      },
    },
  }),
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
  indexes: ['viewer_id, shared_at desc', 'owner_id'],
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

/** The shares of a session, at most 20, with the names of those who see it: strangers have shown themselves to nobody. */
export const sharesOf = async (
  db: ReadDb,
  sessionId: string,
): Promise<(TrackingShareRow & { readonly viewer_name: string })[]> => {
  const found = await rows(db).where('session_id', '=', sessionId).orderBy('shared_at').orderBy('viewer_id').execute();
  const nameOf = await shownNamesOf(
    db,
    trackPeople,
    found.map(({ viewer_id }) => viewer_id),
  );
  return found.map((row) => ({ ...row, viewer_name: nameOf(row.viewer_id).short }));
};

/** The tracks that an account may see, the newest share first. */
export const sharedWith = async (
  db: ReadDb,
  viewerId: string,
  paging: Paging,
): Promise<Page<JsonText<SharedTrack>>> => {
  const of = rows(db).where('viewer_id', '=', viewerId).orderBy('shared_at', 'desc').orderBy('session_id');
  const { rows: found, total } = await pageOf(db, of, paging);
  const formFor = await formsOf(db, trackingShares, found, ['guest']);
  return { rows: found.map((row) => formFor(row, 'guest') as JsonText<SharedTrack>), total };
};
