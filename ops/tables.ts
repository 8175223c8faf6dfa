/** The migrations of everything outside the read models' own tables. Each owner declares its own. */

import { idempotencyMigrations } from '../api/http/idempotency.ts';
import { rateCountMigrations } from '../api/http/rateCounts.ts';
import { certificateMigrations } from '../commands/core/certificateParts.ts';
import { erasureMigrations } from '../commands/core/erasure.ts';
import { jobMigrations } from '../commands/core/jobs.ts';
import { outsideErasureMigrations } from '../commands/core/outsideErasures.ts';
import { snapshotMigrations } from '../commands/core/snapshots.ts';
import { moduleMigrations } from '../commands/modules.ts';
import { checkpointMigrations } from '../eventstore/checkpoints.ts';
import { logIdentityMigrations } from '../eventstore/identity.ts';
import { vaultMigrations } from '../eventstore/vault.ts';
import { leaseMigrations } from '../infra/leases.ts';
import type { Migrations } from '../infra/migrations.ts';
import { tokenMigrations } from '../infra/sessions.ts';
import { changesMigrations } from '../projections/engine/changes.ts';
import { ephemeralMigrations } from '../projections/engine/ephemeral.ts';
import { parkedMigrations } from '../projections/engine/parked.ts';
import { rebuildMigrations } from '../projections/engine/rebuildRuns.ts';
import { tableVersionMigrations } from '../projections/engine/tableVersions.ts';
import { operatorMigrations } from './operators/reports.ts';

export const allMigrations: readonly Migrations[] = [
  leaseMigrations,
  jobMigrations,
  erasureMigrations,
  outsideErasureMigrations,
  certificateMigrations,
  snapshotMigrations,
  checkpointMigrations,
  logIdentityMigrations,
  vaultMigrations,
  idempotencyMigrations,
  rateCountMigrations,
  tokenMigrations,
  tableVersionMigrations,
  parkedMigrations,
  rebuildMigrations,
  changesMigrations,
  ephemeralMigrations,
  operatorMigrations,
  ...moduleMigrations,
];
