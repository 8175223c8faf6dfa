/** A notification, as it is stored, and as the person sees it: in the list, and on their channel. */
import { type Static, Type } from '@sinclair/typebox';
import { type NotificationKind, notificationKinds, urgencies } from '../core/notification.ts';
import { Instant, Nullable, OneOf, Uuid } from '../core/schema.ts';

export const Notification = Type.Object(
  {
    id: Uuid,
    seq: Type.Integer({ description: 'Later ones have a higher number. Gaps mean nothing.' }),
    kind: OneOf(notificationKinds),
    type: Type.String({ description: 'What it is about: `booking_paid`.' }),
    title: Type.String(),
    body: Type.String(),
    link: Type.String({ description: 'The path in the app.' }),
    urgency: OneOf(urgencies),
    count: Type.Integer({ minimum: 1, description: 'How many it stands for, such as messages of a chat.' }),
    created_at: Instant,
    read_at: Nullable(Instant),
  },
  { $id: 'Notification' },
);
export type Notification = Static<typeof Notification>;

/** What an app shows on its icon. It comes after every change of the list. */
export const NotificationInbox = Type.Object(
  {
    unread: Type.Integer({ minimum: 0 }),
    last_seq: Type.Integer({ minimum: 0, description: 'The highest number that was given so far.' }),
    read_up_to: Type.Integer({ minimum: 0, description: 'All up to this number were marked as read at once.' }),
  },
  { $id: 'NotificationInbox' },
);
export type NotificationInbox = Static<typeof NotificationInbox>;

/** A row of `ops.notifications`. */
export interface NotificationRow {
  readonly id: string;
  readonly person_id: string;
  readonly seq: number;
  readonly name: string;
  readonly kind: NotificationKind;
  readonly params: object;
  readonly of_person: string | null;
  readonly at: string;
  readonly version: number;
  /** 0: it stands for itself alone. */
  readonly count: number;
  readonly read_at: string | null;
  readonly deleted_at: string | null;
}

/** The columns of the row. */
export const ROW_COLUMNS = 'id, person_id, seq, name, kind, params, of_person, at, version, count, read_at, deleted_at';
