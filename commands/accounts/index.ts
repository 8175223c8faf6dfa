/** The write-side manifest of this module. */
import { account } from '../../domain/accounts/account.ts';
import type { CommandModule } from '../core/module.ts';
import { adminMigrations, adminPolicy } from './admins.ts';
import { smsMigrations } from './codes.ts';
import { connectAccounts } from './connect.ts';
import { counterMigrations } from './counters.ts';
import { closeErased, giveBackIdentities } from './erasure.ts';
import { identityProviders } from './identityProvider.ts';
import { lastKnownMigrations } from './lastKnown.ts';
import { accountNotice, securitySms } from './notices.ts';
import { accountNotifications } from './notifications.ts';
import { oauthMigrations } from './oauth.ts';
import { claimPolicy, orphanClaim } from './orphanClaims.ts';
import { accountPolicy } from './policy.ts';
import { withdrawRequestOf } from './roleRequests.ts';
import { sandboxMessageMigrations } from './sandboxSms.ts';
import { accountSettings } from './settings.ts';
import { smsGateway } from './smsSender.ts';

export const accounts = {
  notifications: accountNotifications,
  policies: [accountPolicy, adminPolicy, claimPolicy],
  jobs: [accountNotice, orphanClaim, securitySms],
  migrations: [
    adminMigrations,
    counterMigrations,
    smsMigrations,
    oauthMigrations,
    lastKnownMigrations,
    sandboxMessageMigrations,
  ],
  followedByApi: [account],
  erasure: { before: giveBackIdentities, close: closeErased, after: withdrawRequestOf },
  settings: accountSettings,
  connect: connectAccounts,
  externalPersonalData: [smsGateway, identityProviders],
} as const satisfies CommandModule;
