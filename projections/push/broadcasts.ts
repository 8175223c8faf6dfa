/** Messages to many people, as admins see them. What became of each is counted beside the log. */

import { type Static, Type } from '@sinclair/typebox';
import { Instant, Nullable, Uuid } from '../../domain/core/schema.ts';
import { BroadcastCounts, BroadcastMessage, BroadcastStatus, counted } from '../../domain/push/broadcast.ts';
import { actsOfAdmins } from '../../infra/personalData.ts';
import { type Page, type Paging, pageOf } from '../engine/paging.ts';
import { type ReadDb, tables } from '../engine/readDb.ts';
import { existing, readModel } from '../engine/readModel.ts';

const { sendAt, expiresAt, ...message } = BroadcastMessage.properties;

const Row = Type.Object({
  id: Uuid,
  ...message,
  send_at: sendAt,
  expires_at: expiresAt,
  status: BroadcastStatus,
  created_at: Instant,
  created_by: Type.String({ description: 'Id of the account that sends it.' }),
  finished_at: Nullable(Instant),
  /** With `finished_at`. */
  counts: Nullable(BroadcastCounts),
});
export type BroadcastRow = Static<typeof Row>;

const keys = ({ streamId: id }: { readonly streamId: string }) => [{ id }];
const moved = (status: BroadcastRow['status']) => ({
  keys,
  fold: (row: BroadcastRow | undefined): BroadcastRow => ({ ...existing(row), status }),
});

export const pushBroadcasts = readModel('push_broadcasts', {
  version: 2,
  row: Row,
  key: 'id',
  personalData: actsOfAdmins,
  on: {
    BroadcastScheduled: {
      keys,
      fold: (_, { streamId: id, at, meta, data: { sendAt: send_at, expiresAt: expires_at, ...rest } }) => ({
        id,
        ...rest,
        send_at,
        expires_at,
        status: 'scheduled' as const,
        created_at: at,
        created_by: meta.actor.id,
        finished_at: null,
        counts: null,
      }),
    },
    BroadcastPaused: moved('paused'),
    BroadcastResumed: moved('scheduled'),
    BroadcastCancelled: moved('cancelled'),
    BroadcastFinished: {
      keys,
      fold: (row, { at, data }) => {
        const known = existing(row);
        return { ...known, status: counted(known.status), finished_at: at, counts: data };
      },
    },
  },
  indexes: ['created_at desc, id'],
});

const all = (db: ReadDb) => tables(db, pushBroadcasts).selectFrom('push_broadcasts').selectAll();

export const broadcastById = (db: ReadDb, id: string): Promise<BroadcastRow | undefined> =>
  all(db).where('id', '=', id).executeTakeFirst();

/** Newest first. */
export const listBroadcasts = (db: ReadDb, paging: Paging): Promise<Page<BroadcastRow>> =>
  pageOf(db, all(db).orderBy('created_at', 'desc').orderBy('id'), paging);
