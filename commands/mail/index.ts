/** The write-side manifest of this module. */
import type { CommandModule } from '../core/module.ts';
import { undeliverableMigrations } from './addresses.ts';
import { connectMail } from './connect.ts';
import { mailDelivery } from './delivery.ts';
import { mailNotifications } from './notifications.ts';
import { mailMigrations } from './queue.ts';
import { mailSettings } from './settings.ts';
import { mailServer } from './transport.ts';

export const mail = {
  notifications: mailNotifications,
  jobs: [mailDelivery],
  migrations: [mailMigrations, undeliverableMigrations],
  settings: mailSettings,
  connect: connectMail,
  externalPersonalData: [mailServer],
} as const satisfies CommandModule;
