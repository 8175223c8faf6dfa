/**
 * Sends notifications to the shop in the format of its provider, and repeats them for a day until they are accepted. On
 * demand it delays, duplicates, reorders or loses them.
 */
import { randomUUID } from 'node:crypto';
import { type Static, Type } from '@sinclair/typebox';
import { DAY_MS, HOUR_MS, instantOf, MINUTE_MS } from '../../../domain/core/instants.ts';
import { OneOf } from '../../../domain/core/schema.ts';
import type { Logger } from '../../../infra/log.ts';
import { linkSignals, sleep } from '../../../infra/retry.ts';
import type { MethodRecord } from '../payments/methods.ts';
import type { PaymentRecord } from '../payments/payments.ts';
import type { Notification, NotificationFormat, NotificationFormats } from './notificationFormats.ts';
import type { Change, QueuedNotification, State } from './state.ts';

export const NotificationMode = Type.Object(
  {
    /**
     * `reordered` holds a notification back until the next one of the payment was delivered, at most for `delay_ms`.
     */
    mode: OneOf(['normal', 'delayed', 'doubled', 'reordered', 'lost']),
    /** How long `delayed` and `reordered` wait. */
    delay_ms: Type.Integer({ minimum: 0, maximum: HOUR_MS, default: 2_000 }),
  },
  { additionalProperties: false },
);
export type NotificationMode = Static<typeof NotificationMode>;

export interface NotificationOptions {
  readonly state: State;
  readonly formats: NotificationFormats;
  readonly log: Logger;
}

export interface Notifications {
  mode: NotificationMode;
  /** Number of notifications that were not delivered yet. */
  waiting(): number;
  /** The changes that queue the notifications. After committing them, call `wake`. */
  about(record: PaymentRecord | MethodRecord, messages: readonly Notification[]): Change[];
  wake(): void;
  /** Undelivered notifications are kept for the next start. */
  stop(): Promise<void>;
}

const GIVE_UP_AFTER_MS = DAY_MS;
const ATTEMPT_TIMEOUT_MS = 10_000;
const AT_ONCE = 8;
const LONGEST_PAUSE_MS = MINUTE_MS;

const pauseBefore = (attempt: number): number => Math.min(LONGEST_PAUSE_MS, 250 * 2 ** attempt);

/** Sends a notification once. True when the shop accepted it. */
const send = async (
  item: QueuedNotification,
  format: NotificationFormat,
  stopping: AbortSignal,
  log: Logger,
): Promise<boolean> => {
  const body = JSON.stringify(item.body);
  const about = { event: item.event, payment_id: item.paymentId, attempt: item.attempts + 1 };
  const { signal, end } = linkSignals(AbortSignal.timeout(ATTEMPT_TIMEOUT_MS), stopping);
  try {
    const response = await fetch(item.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...format.headers(item.id, body) },
      body,
      redirect: 'manual',
      signal,
    });
    const text = await response.text();
    log.info({ ...about, status: response.status }, 'notification sent');
    return format.accepts(response.status, text);
  } catch (err) {
    log.warn({ ...about, err }, 'notification could not be delivered');
    return false;
  } finally {
    end();
  }
};

/**
 * Changes of the queue after an attempt: the notification is removed or repeated later. Once it is accepted, the one of
 * the same payment that it overtook is due.
 */
const changesAfter = (
  item: QueuedNotification,
  isAccepted: boolean,
  queue: ReadonlyMap<string, QueuedNotification>,
): Change[] => {
  const now = Date.now();
  const isOver = isAccepted || Date.parse(item.at) + GIVE_UP_AFTER_MS < now;
  const again = { ...item, attempts: item.attempts + 1, dueAt: instantOf(now + pauseBefore(item.attempts)) };
  const overtaken = [...queue].filter(
    ([id, other]) => isAccepted && other.overtaken && other.paymentId === item.paymentId && id !== item.id,
  );
  return [
    ['notifications', item.id, isOver ? null : again],
    ...overtaken.map(
      ([id, other]): Change => ['notifications', id, { ...other, overtaken: false, dueAt: instantOf(now) }],
    ),
  ];
};

const COPIES = { normal: 1, delayed: 1, doubled: 2, reordered: 1, lost: 0 } as const;

/** Queues a notification as often as the mode says. */
const copiesOf = (
  { provider, object }: PaymentRecord | MethodRecord,
  { event, body }: Notification,
  url: string,
  { mode, delay_ms, isHeldBack }: NotificationMode & { readonly isHeldBack: boolean },
): Change[] => {
  const now = Date.now();
  const dueAt = instantOf(mode === 'delayed' || isHeldBack ? now + delay_ms : now);
  const about = { paymentId: object.id, provider, url, event, body };
  return Array.from({ length: COPIES[mode] }, (): Change => {
    const id = randomUUID();
    return ['notifications', id, { id, ...about, at: instantOf(now), dueAt, attempts: 0, overtaken: isHeldBack }];
  });
};

export const createNotifications = ({ state, formats, log }: NotificationOptions): Notifications => {
  const queue = state.tables.notifications;
  const sending = new Map<string, Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  const stopping = new AbortController();

  const deliver = async (item: QueuedNotification): Promise<void> => {
    const isAccepted = await send(item, formats[item.provider], stopping.signal, log);
    state.commit(changesAfter(item, isAccepted, queue));
  };

  const wake = (): void => {
    clearTimeout(timer);
    if (stopping.signal.aborted) return;
    const now = Date.now();
    const idle = [...queue.values()].filter(({ id }) => !sending.has(id));
    const due = idle.filter(({ dueAt }) => Date.parse(dueAt) <= now).slice(0, AT_ONCE - sending.size);
    for (const item of due) {
      const run = deliver(item)
        .catch((err: unknown) => {
          log.error({ err }, 'notification queue failed');
          return sleep(LONGEST_PAUSE_MS, stopping.signal);
        })
        .finally(() => {
          sending.delete(item.id);
          wake();
        });
      sending.set(item.id, run);
    }
    const next = Math.min(...idle.filter((item) => !due.includes(item)).map(({ dueAt }) => Date.parse(dueAt)));
    if (sending.size < AT_ONCE && Number.isFinite(next)) timer = setTimeout(wake, Math.max(0, next - now));
  };

  const notifications: Notifications = {
    mode: { mode: 'normal', delay_ms: 2_000 },
    waiting: () => queue.size,
    about: (record, messages) => {
      const holdsOne = [...queue.values()].some((item) => item.paymentId === record.object.id && item.overtaken);
      const holdsBack = notifications.mode.mode === 'reordered' && !holdsOne;
      const url = formats[record.provider].url(record);
      return messages.flatMap((message, index) =>
        copiesOf(record, message, url, { ...notifications.mode, isHeldBack: holdsBack && index === 0 }),
      );
    },
    wake,
    stop: async () => {
      stopping.abort();
      clearTimeout(timer);
      await Promise.all(sending.values());
    },
  };
  return notifications;
};
