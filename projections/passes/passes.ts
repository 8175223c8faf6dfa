/** Passes, as who bought them sees them, and which of their codes gates must refuse. */

import { Type } from '@sinclair/typebox';
import { sql } from 'kysely';
import { isAfter } from '../../domain/core/instants.ts';
import { toMajor } from '../../domain/core/money.ts';
import { DateOnly, Instant, Minor, Nullable, OneOf, Uuid } from '../../domain/core/schema.ts';
import { unitsLeft, validUntil } from '../../domain/passes/admission.ts';
import { isDeviceKey } from '../../domain/passes/deviceKey.ts';
import { passesPurpose } from '../../domain/passes/index.ts';
import { SoldPass } from '../../domain/passes/passEvents.ts';
import { snakeSchema, toCamel, toSnake } from '../../infra/naming.ts';
import { forTheBooks } from '../../infra/personalData.ts';
import { userChannel } from '../accounts/channels.ts';
import { currentEpoch } from '../engine/changes.ts';
import { type Page, type Paging, pageOf } from '../engine/paging.ts';
import { type ReadDb, tables } from '../engine/readDb.ts';
import { existing, readModel } from '../engine/readModel.ts';
import { wireFormWith } from '../engine/wire.ts';
import { closedDates } from './closedDates.ts';

/** `given_back`: its refund is not fixed yet. */
const passStatuses = ['active', 'blocked', 'given_back', 'ended'] as const;

const Row = Type.Object({
  id: Uuid,
  ...snakeSchema(SoldPass).properties,
  status: OneOf(passStatuses),
  /** Of the newest code; 0: none was issued. */
  serial: Type.Integer(),
  is_printed: Type.Boolean(),
  holder_name: Nullable(Type.String()),
  photo_id: Nullable(Uuid),
  /** The dates with a passage. */
  days: Type.Array(DateOnly),
  last_passage_at: Nullable(Instant),
  /** What goes back of its price; null until that is fixed. */
  refund_minor: Nullable(Minor),
  card_returned: Type.Boolean(),
  /** Its newest code is on a screen whose key anybody can sign for: earlier releases issued such codes. They open no gate. */
  has_unsafe_key: Type.Boolean(),
  /** Where in the log its codes were last revoked or valid again; null: never. */
  revoked_position: Nullable(Type.Integer()),
  updated_at: Instant,
});
export type PassRow = (typeof Row)['static'];

const { revoked_position: _, has_unsafe_key: __, ...columns } = Row.properties;

/** A pass in replies and messages. */
export const SkiPass = Type.Object(
  {
    ...columns,
    price: Type.Number(),
    deposit: Type.Number(),
    refund: Nullable(Type.Number()),
    valid_until: { ...DateOnly, description: 'The last valid date, with the days that the closed mountain gave back.' },
    units_left: Nullable(
      Type.Integer({ description: 'Days that are left, or 1 for hours that have not begun; null: any number.' }),
    ),
  },
  { $id: 'SkiPass' },
);

const passWire = wireFormWith({
  schema: SkiPass,
  make: (row: PassRow) => {
    const major = (minor: number) => toMajor(minor, row.currency);
    const { price_minor, deposit_minor, refund_minor } = row;
    const refund = refund_minor === null ? null : major(refund_minor);
    return { ...row, price: major(price_minor), deposit: major(deposit_minor), refund };
  },
  overlay: {
    fields: ['valid_until', 'units_left'],
    needs: ['unit', 'count', 'valid_from', 'valid_to', 'sold_at', 'days'],
    read: async (db) => {
      const closed = await closedDates(db);
      return (row) => {
        const of = toCamel(row);
        return { valid_until: validUntil(of, closed), units_left: unitsLeft(of, closed) };
      };
    },
  },
});

type Moved = { readonly at: string };
const moved = (row: PassRow | undefined, { at }: Moved, more: Partial<PassRow>): PassRow => ({
  ...existing(row),
  ...more,
  updated_at: at,
});
const positionOf = ({ position }: { readonly position: { readonly commit: bigint } }): number =>
  Number(position.commit);
const later = (a: string | null, b: string): string => (a !== null && isAfter(a, b) ? a : b);

export const passes = readModel('passes', {
  version: 2,
  row: Row,
  wire: passWire,
  entity: 'pass',
  key: 'id',
  personalData: { whose: 'user_id', texts: ['holder_name'], why: passesPurpose, retention: forTheBooks },
  on: {
    PassSold: (_, { streamId: id, data, at }): PassRow => ({
      id,
      ...toSnake(data),
      status: 'active',
      serial: 0,
      is_printed: false,
      holder_name: null,
      photo_id: null,
      days: [],
      last_passage_at: null,
      refund_minor: null,
      card_returned: false,
      has_unsafe_key: false,
      revoked_position: null,
      updated_at: at,
    }),
    PassIssued: (row, event) => {
      const { serial, deviceKey } = event.data;
      const has_unsafe_key = deviceKey !== null && !isDeviceKey(deviceKey);
      const revokes = serial > 1 || has_unsafe_key ? { revoked_position: positionOf(event) } : {};
      return moved(row, event, { serial, is_printed: deviceKey === null, has_unsafe_key, ...revokes });
    },
    PassHolderChanged: (row, event) =>
      moved(row, event, { holder_name: event.data.holderName, photo_id: event.data.photoId }),
    PassScanned: (row, event) => {
      const { day, startsDay, scannedAt } = event.data;
      const { days, last_passage_at } = existing(row);
      return moved(row, event, {
        days: startsDay && !days.includes(day) ? [...days, day].toSorted() : days,
        last_passage_at: later(last_passage_at, scannedAt),
      });
    },
    PassBlocked: (row, event) => moved(row, event, { status: 'blocked', revoked_position: positionOf(event) }),
    PassUnblocked: (row, event) =>
      moved(row, event, {
        status: existing(row).status === 'blocked' ? 'active' : existing(row).status,
        revoked_position: positionOf(event),
      }),
    PassGivenBack: (row, event) => moved(row, event, { status: 'given_back', revoked_position: positionOf(event) }),
    PassRefundSettled: (row, event) => moved(row, event, { status: 'ended', refund_minor: event.data.refundMinor }),
    PassCardReturned: (row, event) => moved(row, event, { card_returned: true }),
  },
  indexes: ['user_id, valid_from desc, id', 'revoked_position', 'valid_from, valid_to'],
  publishTo: [{ channel: userChannel, idsOf: ({ user_id }) => [user_id], audience: 'guest' }],
});

/** The latest first valid date first. */
export const listPasses = (
  db: ReadDb,
  { userId, purchaseId, ...paging }: { userId: string; purchaseId?: string | undefined } & Paging,
): Promise<Page<PassRow>> => {
  const asked = { user_id: userId, ...(purchaseId !== undefined && { purchase_id: purchaseId }) };
  const matching = tables(db, passes)
    .selectFrom('passes')
    .selectAll()
    .where((q) => q.and(asked));
  return pageOf(db, matching.orderBy('valid_from', 'desc').orderBy('purchase_id').orderBy('number'), paging);
};

export interface Revocation {
  readonly pass_id: string;
  /** Codes with a lower serial open no gate; null: no code does. */
  readonly valid_from_serial: number | null;
}

/**
 * `<epoch>:<position>`: positions of the log mean something only in the epoch in which they were read. One without an
 * epoch is of an earlier release: all are listed, as for another epoch.
 */
export const REVOCATION_CURSOR = '^([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}:)?[0-9]{1,16}$';

/** The position that a cursor names; 0 when it is of another epoch. */
const positionIn = (epoch: string, cursor: string | undefined): number => {
  const [of, position] = cursor?.split(':') ?? [];
  return of === epoch ? Number(position) : 0;
};

/**
 * Which codes were revoked, or are valid again, since the cursor of a former answer, oldest first. Passes whose last date is
 * long past are left out: their codes have expired. A cursor of another epoch may be of another log, from which the platform
 * has moved: all are listed again, as without a cursor.
 * @param notBefore `YYYY-MM-DD`
 */
export const revocationsSince = async (
  db: ReadDb,
  { since, notBefore, limit }: { since: string | undefined; notBefore: string; limit: number },
): Promise<{ readonly data: Revocation[]; readonly next: string; readonly more: boolean }> => {
  // First: if another epoch begins before the rows are read, the next cursor is of the former one, and all are listed again.
  const epoch = await currentEpoch(db);
  const after = positionIn(epoch, since);
  const rows = await tables(db, passes)
    .selectFrom('passes')
    .select(['id', 'status', 'serial', 'has_unsafe_key', 'revoked_position'])
    .where('revoked_position', '>', after)
    .where('valid_to', '>=', notBefore)
    .orderBy('revoked_position')
    .limit(limit + 1)
    .execute();
  const page = rows.slice(0, limit);
  return {
    data: page.map(({ id, status, serial, has_unsafe_key }) => ({
      pass_id: id,
      valid_from_serial: status === 'active' && !has_unsafe_key ? serial : null,
    })),
    next: `${epoch}:${page.at(-1)?.revoked_position ?? after}`,
    more: rows.length > limit,
  };
};

/** How many passes a closure would give days to: those that are valid on one of the dates. Season passes get none. */
export const countValidOn = async (db: ReadDb, dates: readonly string[]): Promise<number> => {
  if (dates.length === 0) return 0;
  const anyDate = sql<boolean>`exists (select 1 from unnest(${[...dates]}::text[]) as closed(day)
    where closed.day between valid_from::text and valid_to::text)`;
  const { count } = await tables(db, passes)
    .selectFrom('passes')
    .select((q) => q.fn.countAll<number>().as('count'))
    .where('unit', '<>', 'season')
    .where('status', 'in', ['active', 'blocked'])
    .where(anyDate)
    .executeTakeFirstOrThrow();
  return Number(count);
};
