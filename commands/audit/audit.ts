/** Records that somebody reads the event history. */
import { type AuditRead, auditLog } from '../../domain/audit/auditLog.ts';
import { derivedId } from '../../infra/ids.ts';
import type { CoreDeps } from '../core/deps.ts';
import type { CommandContext } from '../core/handle.ts';

/** Call before anything is shown. */
export const recordAuditRead = async (
  deps: Pick<CoreDeps, 'aggregates'>,
  context: CommandContext,
  read: AuditRead,
): Promise<void> => {
  const day = context.at.slice(0, 10);
  const id = derivedId('auditLog', context.actor.id, day);
  await deps.aggregates.handle(auditLog, id, { type: 'RecordRead', ...read }, context);
};
