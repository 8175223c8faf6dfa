/** The write-side manifest of this module. */
import type { CommandModule } from '../core/module.ts';
import { ledgerNotifications } from './notifications.ts';
import { ledgerPolicy } from './policy.ts';

export const ledger = { notifications: ledgerNotifications, policies: [ledgerPolicy] } as const satisfies CommandModule;
