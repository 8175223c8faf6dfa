/**
 * Claims that their account does not show: what a crash, a race or an erasure left. They lead nowhere, and who asks for
 * the identifier next takes them over. They are released here all the same, so that claims and accounts say the same.
 * The policy follows the log from its beginning, so that claims of before are released, too.
 */
import { account } from '../../domain/accounts/account.ts';
import { identity } from '../../domain/accounts/identity.ts';
import { addMs, HOUR_MS } from '../../domain/core/instants.ts';
import { metrics } from '../../infra/metrics.ts';
import { defineJob } from '../core/jobs.ts';
import { policy } from '../core/policy.ts';
import { releaseUnshown } from './claims.ts';
import type { AccountDeps } from './deps.ts';
import { shows } from './identityIds.ts';

/** After that, the command that has claimed an identifier has shown it, or never will. */
const UNDER_WAY_MS = HOUR_MS;

/** The job's id is that of the identity stream. */
export const orphanClaim = defineJob<{ readonly accountId: string }, AccountDeps>(
  'orphan_claim',
  async ({ id, data: { accountId } }, { deps, context }) => {
    if (!(await releaseUnshown(deps, context, { id, accountId }))) return undefined;
    metrics.orphanClaims.inc();
    deps.log.warn(
      { identity: id, account: accountId },
      'a claim was released: its account does not show the identifier',
    );
    return undefined;
  },
);

export const claimPolicy = policy<AccountDeps>('identity_claims', {
  IdentityClaimed: async ({ streamId: id, at, meta, data: { accountId } }, { deps }) => {
    const { state: claim } = await deps.aggregates.load(identity, id);
    if (claim.accountId !== accountId) return;
    const { state } = await deps.aggregates.load(account, accountId);
    if (state.status === 'open' && shows(deps.vault, state, id)) return;
    await orphanClaim.schedule(deps.jobs, meta, { id, dueAt: addMs(at, UNDER_WAY_MS), data: { accountId } });
  },
});
