/** The write-side manifest of this module. */
import type { CommandModule } from '../core/module.ts';
import { adminMigrations, adminPolicy } from './admins.ts';
import { pruneCodes, smsMigrations } from './codes.ts';
import { accountSettings, connectAccounts } from './connect.ts';
import { counterMigrations, pruneCounters } from './counters.ts';
import { closeErased, giveBackIdentities } from './erasure.ts';
import { lastKnownMigrations } from './lastKnown.ts';
import { accountNotice } from './notices.ts';
import { accountNotifications } from './notifications.ts';
import { oauthMigrations, pruneOauthStates } from './oauth.ts';
import { endOfGrace } from './pendingErasure.ts';
import { accountPolicy } from './policy.ts';
import { pruneSandboxMessages, sandboxMessageMigrations } from './sandboxSms.ts';

export const accounts = {
  notifications: accountNotifications,
  policies: [accountPolicy, adminPolicy],
  jobs: [accountNotice, endOfGrace],
  migrations: [
    adminMigrations,
    counterMigrations,
    smsMigrations,
    oauthMigrations,
    lastKnownMigrations,
    sandboxMessageMigrations,
  ],
  prunes: [pruneCounters, pruneCodes, pruneOauthStates, pruneSandboxMessages],
  erasure: { before: giveBackIdentities, after: closeErased },
  settings: accountSettings,
  connect: connectAccounts,
} as const satisfies CommandModule;
