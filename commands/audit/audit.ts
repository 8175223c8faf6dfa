/** Records that somebody reads the event history, and shows what is personal only to whoever says why. */
import { type AuditRead, auditLog, type ContentShown } from '../../domain/audit/auditLog.ts';
import type { Concealed } from '../../eventstore/concealed.ts';
import { derivedId } from '../../infra/ids.ts';
import type { CoreDeps } from '../core/deps.ts';
import { type CommandContext, followUp } from '../core/handle.ts';

type Deps = Pick<CoreDeps, 'aggregates'>;

const streamOf = ({ actor, at }: CommandContext): string => derivedId('auditLog', actor.id, at.slice(0, 10));

/** Call before anything is shown. */
export const recordAuditRead = async (deps: Deps, context: CommandContext, read: AuditRead): Promise<void> => {
  await deps.aggregates.handle(auditLog, streamOf(context), { type: 'RecordRead', ...read }, context);
};

/** What somebody has asked for, and why; without a reason they see nothing personal. */
export type Asked = Pick<ContentShown, 'what' | 'query'> & { readonly reason?: string };

/** Records whose personal data somebody is about to be shown. Call before anything is shown. */
export const recordShown = async (
  deps: Deps,
  context: CommandContext,
  asked: Asked & { readonly reason: string },
  people: readonly string[],
): Promise<void> => {
  if (people.length === 0) return;
  await deps.aggregates.handle(
    auditLog,
    streamOf(context),
    { type: 'RecordShown', ...asked, people },
    followUp(context, 'shown'),
  );
};

/** What may be shown: all of it, once it is recorded whose it is; without a reason, `[hidden]` instead of what is personal. */
export const reveal = async <T>(
  deps: Deps,
  context: CommandContext,
  asked: Asked,
  { hidden, open, people }: Concealed<T>,
): Promise<T> => {
  const { reason } = asked;
  if (reason === undefined) return hidden;
  await recordShown(deps, context, { ...asked, reason }, people);
  return open;
};
