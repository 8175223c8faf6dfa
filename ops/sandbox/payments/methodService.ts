/** Stores payment methods that are saved without a payment, and notifies the shop, only of success. */
import type { Logger } from '../../../infra/log.ts';
import type { Notifications } from '../core/notifications.ts';
import type { Change, State } from '../core/state.ts';
import { isOpen, type MethodRecord, refuse } from './methods.ts';

export interface MethodService {
  now(): string;
  /** Finds the method, and makes it inactive if its time has expired. */
  find(id: string | undefined): MethodRecord | undefined;
  /** Stores a step, together with the changes of `also`. */
  apply(record: MethodRecord, also?: readonly Change[]): void;
  /** Makes all expired methods inactive. */
  sweep(): void;
}

export const createMethodService = (state: State, notifications: Notifications, log: Logger): MethodService => {
  const service: MethodService = {
    now: () => new Date().toISOString(),
    find: (id) => {
      const record = id === undefined ? undefined : state.tables.methods.get(id);
      if (!record || !isOpen(record) || service.now() < record.confirmBy) return record;
      service.apply(refuse(record));
      return state.tables.methods.get(record.object.id);
    },
    apply: (record, also = []) => {
      const { object } = record;
      const before = state.tables.methods.get(object.id)?.object.status;
      const event = 'payment_method.active';
      const news = object.status === 'active' && before !== 'active';
      const queued = news
        ? notifications.about(record, [{ event, body: { type: 'notification', event, object } }])
        : [];
      state.commit([['methods', object.id, record], ...queued, ...also]);
      log.info({ payment_method_id: object.id, status: object.status, step: record.step }, 'sandbox payment method');
      notifications.wake();
    },
    sweep: () => {
      for (const id of state.tables.methods.keys()) service.find(id);
    },
  };
  return service;
};
