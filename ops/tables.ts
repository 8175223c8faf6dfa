/** The migrations of everything outside the read models' own tables. Each owner declares its own. */
import { idempotencyMigrations } from '../api/http/idempotency.ts';
import { attemptMigrations } from '../commands/accounts/attempts.ts';
import { oauthMigrations } from '../commands/accounts/oauth.ts';
import { sandboxMessageMigrations } from '../commands/accounts/sandboxSms.ts';
import { smsMigrations } from '../commands/accounts/sms.ts';
import { jobMigrations } from '../commands/core/jobs.ts';
import { apiKeyUsageMigrations } from '../commands/partners/apiKeys.ts';
import { inboxMigrations } from '../commands/payments/inbox.ts';
import { reconciliationMigrations } from '../commands/payments/reconciliation.ts';
import { checkpointMigrations } from '../eventstore/checkpoints.ts';
import { vaultMigrations } from '../eventstore/vault.ts';
import { leaseMigrations } from '../infra/leases.ts';
import type { Migrations } from '../infra/migrations.ts';
import { tokenMigrations } from '../infra/tokens.ts';
import { changesMigrations } from '../projections/engine/changes.ts';
import { parkedMigrations } from '../projections/engine/parked.ts';
import { rebuildMigrations } from '../projections/engine/rebuildRuns.ts';
import { tableVersionMigrations } from '../projections/engine/tableVersions.ts';

export const allMigrations: readonly Migrations[] = [
  leaseMigrations,
  jobMigrations,
  inboxMigrations,
  reconciliationMigrations,
  checkpointMigrations,
  vaultMigrations,
  idempotencyMigrations,
  tokenMigrations,
  attemptMigrations,
  smsMigrations,
  oauthMigrations,
  apiKeyUsageMigrations,
  sandboxMessageMigrations,
  tableVersionMigrations,
  parkedMigrations,
  rebuildMigrations,
  changesMigrations,
];
