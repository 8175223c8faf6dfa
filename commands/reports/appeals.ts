/** Appeals against what moderators have decided, and their answers. */
import { notFound, Rejected } from '../../domain/core/decider.ts';
import { type AppealKind, appeal, type Decision } from '../../domain/reports/appeal.ts';
import { derivedId } from '../../infra/ids.ts';
import type { CoreDeps } from '../core/deps.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import type { AppealsPort, Standing } from './appealables.ts';

export type AppealDeps = Pick<CoreDeps, 'aggregates'> & AppealsPort;
/** The same for every attempt to appeal against it. */
const appealIdOf = ({ kind, id, number }: Decision): string => derivedId('forumAppeal', kind, id, String(number));

type About = Pick<Decision, 'kind' | 'id'>;

const standing = (deps: AppealDeps, { kind, id }: About, at: string): Promise<Standing | undefined> =>
  deps.appealables[kind].standing(deps, id, at);

/**
 * Appeals against a decision about oneself, once.
 * @returns the id of the appeal, and whether it is new
 * @throws Rejected `not_found` where nothing was decided against this person, `conflict` after the answer
 */
export const fileAppeal = async (
  deps: AppealDeps,
  context: CommandContext,
  { accountId, kind, id, text }: About & { readonly accountId: string; readonly text: string },
): Promise<{ readonly appealId: string; readonly isNew: boolean }> => {
  const found = await standing(deps, { kind, id }, context.at);
  if (found?.accountId !== accountId)
    throw new Rejected('not_found', 'There is no decision of a moderator against you to appeal.');
  const { number } = found;
  const appealId = appealIdOf({ kind, id, number });
  const command = { type: 'FileAppeal', accountId, decision: { kind, id, number }, text } as const;
  const { events } = await deps.aggregates.handle(appeal, appealId, command, context);
  return { appealId, isNew: events.length > 0 };
};

/** Undoes a decision whose appeal was accepted, unless it was decided anew since. Safe to repeat. */
export const undoDecision = async (
  deps: AppealDeps,
  context: CommandContext,
  { kind, id, number }: Decision,
): Promise<void> => {
  const now = await standing(deps, { kind, id }, context.at);
  if (now?.number === number && !now.isFinal) await deps.appealables[kind].undo(deps, followUp(context, 'undo'), id);
};

/**
 * Answers an appeal. Of two admins the first one decides; what was accepted is undone then, by a policy if this process
 * ends before. What cannot be undone any more is said in the answer.
 * @param kinds those that can be answered here
 * @throws Rejected `not_found`, `invalid_transition` when it was answered otherwise, `conflict` when it was decided anew since
 */
export const answerAppeal = async (
  deps: AppealDeps,
  context: CommandContext,
  appealId: string,
  {
    kinds,
    accepted,
    answer,
  }: { readonly kinds: readonly AppealKind[]; readonly accepted: boolean; readonly answer: string },
): Promise<void> => {
  const { state } = await deps.aggregates.load(appeal, appealId);
  if (state.status === 'none' || !kinds.includes(state.decision.kind)) throw notFound('appeal');
  let isFinal = false;
  if (accepted && state.status === 'open') {
    const now = await standing(deps, state.decision, context.at);
    if (now && now.number !== state.decision.number)
      throw new Rejected('conflict', 'A moderator has decided anew since. Undo that decision instead.');
    isFinal = now?.isFinal === true;
  }
  const command = { type: 'AnswerAppeal', accepted, answer, isFinal } as const;
  const { state: after } = await deps.aggregates.handle(appeal, appealId, command, context);
  if (after.status === 'answered' && after.accepted) await undoDecision(deps, context, after.decision);
};

/** Whether an appeal against this decision waits for its answer. */
export const hasOpenAppeal = async (
  { aggregates }: Pick<CoreDeps, 'aggregates'>,
  { kind, id, number }: Decision,
): Promise<boolean> => (await aggregates.load(appeal, appealIdOf({ kind, id, number }))).state.status === 'open';
