/** The DDL of everything outside the read models' own tables, in the order it is run. */
import { idempotencyTables } from '../api/http/idempotency.ts';
import { jobTables } from '../commands/core/jobs.ts';
import { moduleTables } from '../commands/modules.ts';
import { checkpointTables } from '../eventstore/checkpoints.ts';
import { vaultTables } from '../eventstore/vault.ts';
import { leaseTables } from '../infra/leases.ts';
import { tokenTables } from '../infra/tokens.ts';
import { changesTables } from '../projections/engine/changes.ts';
import { parkedTables } from '../projections/engine/parked.ts';
import { rebuildTables } from '../projections/engine/rebuildRuns.ts';
import { tableVersionTables } from '../projections/engine/tableVersions.ts';

const machinery = [
  leaseTables,
  jobTables,
  checkpointTables,
  vaultTables,
  idempotencyTables,
  tokenTables,
  tableVersionTables,
  parkedTables,
  rebuildTables,
  changesTables,
];

export const allTables: readonly string[] = [...machinery, ...moduleTables];
