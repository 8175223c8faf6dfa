/** The DDL of everything outside the read models' own tables, in the order it is run. Each module declares its own. */
import { idempotencyTables } from '../api/http/idempotency.ts';
import { attemptTables } from '../commands/accounts/attempts.ts';
import { oauthTables } from '../commands/accounts/oauth.ts';
import { sandboxMessageTables } from '../commands/accounts/sandboxSms.ts';
import { smsTables } from '../commands/accounts/sms.ts';
import { jobTables } from '../commands/core/jobs.ts';
import { apiKeyUsageTables } from '../commands/partners/apiKeys.ts';
import { inboxTables } from '../commands/payments/inbox.ts';
import { reconciliationTables } from '../commands/payments/reconciliation.ts';
import { checkpointTables } from '../eventstore/checkpoints.ts';
import { vaultTables } from '../eventstore/vault.ts';
import { leaseTables } from '../infra/leases.ts';
import { tokenTables } from '../infra/tokens.ts';
import { changesTables } from '../projections/engine/changes.ts';
import { parkedTables } from '../projections/engine/parked.ts';
import { rebuildTables } from '../projections/engine/rebuildRuns.ts';
import { tableVersionTables } from '../projections/engine/tableVersions.ts';

export const allTables: readonly string[] = [
  leaseTables,
  jobTables,
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
