/** The write-side manifest of this module. */
import type { CommandModule } from '../core/module.ts';
import { attemptTables, pruneAttempts } from './attempts.ts';
import { accountSettings, connectAccounts } from './connect.ts';
import { oauthTables, pruneOauthStates } from './oauth.ts';
import { accountPolicy } from './policy.ts';
import { pruneSandboxMessages, sandboxMessageTables } from './sandboxSms.ts';
import { pruneCodes, smsTables } from './sms.ts';

export const accounts = {
  policies: [accountPolicy],
  tables: [attemptTables, smsTables, oauthTables, sandboxMessageTables],
  prunes: [pruneAttempts, pruneCodes, pruneOauthStates, pruneSandboxMessages],
  settings: accountSettings,
  connect: connectAccounts,
} as const satisfies CommandModule;
