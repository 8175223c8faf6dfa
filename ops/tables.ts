/** The DDL of everything outside the read models' own tables, in the order it is run. Each module declares its own. */
import { idempotencyTables } from '../api/idempotency.ts';
import { attemptTables } from '../commands/accounts/attempts.ts';
import { oauthTables } from '../commands/accounts/oauth.ts';
import { sandboxMessageTables } from '../commands/accounts/sandboxSms.ts';
import { apiKeyUsageTables } from '../commands/apiKeys.ts';
import { inboxTables } from '../commands/payments/inbox.ts';
import { reconciliationTables } from '../commands/payments/reconciliation.ts';
import { timerTables } from '../commands/policies/timers.ts';
import { smsTables } from '../commands/sms.ts';
import { checkpointTables } from '../eventstore/checkpoints.ts';
import { vaultTables } from '../eventstore/vault.ts';
import { changesTables } from '../projections/changes.ts';
import { parkedTables } from '../projections/parked.ts';
import { rebuildTables } from '../projections/rebuildRuns.ts';
import { tableVersionTables } from '../projections/tableVersions.ts';
import { leaseTables } from './base/leases.ts';
import { tokenTables } from './base/tokens.ts';

export const allTables: readonly string[] = [
  leaseTables,
  timerTables,
  inboxTables,
  reconciliationTables,
  checkpointTables,
  vaultTables,
  idempotencyTables,
  tokenTables,
  attemptTables,
  smsTables,
  oauthTables,
  apiKeyUsageTables,
  sandboxMessageTables,
  tableVersionTables,
  parkedTables,
  rebuildTables,
  changesTables,
];
