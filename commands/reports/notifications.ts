/** What people are told of their appeals. */
import { Type } from '@sinclair/typebox';
import { DAY_MS } from '../../domain/core/instants.ts';
import { OneOf, Uuid } from '../../domain/core/schema.ts';
import { appeal, appealKinds } from '../../domain/reports/appeal.ts';
import { notification } from '../core/notification.ts';

const RU = {
  undone: 'Апелляция принята: решение отменено.',
  final: 'Апелляция принята: решение было неверным. Удалённое вернуть уже нельзя: файла больше нет.',
  refused: 'Апелляция отклонена.',
} as const;
const EN = {
  undone: 'It was accepted: the decision is undone.',
  final: 'It was accepted: the decision was wrong. What was removed cannot come back, because its file is gone.',
  refused: 'It was refused.',
} as const;
const outcomes = ['undone', 'final', 'refused'] as const;

/** The forums have a notice of their own (`forum_appeal_answered`). */
const OF_FORUMS: readonly string[] = ['post', 'topic', 'sanction'];

const appealAnswered = notification('appeal_answered', {
  kind: 'system',
  urgency: 'normal',
  worthMs: 3 * DAY_MS,
  params: Type.Object({ appeal_id: Uuid, about: OneOf(appealKinds), outcome: OneOf(outcomes) }),
  on: { ForumAppealAnswered: ({ streamId: id }) => ({ about: { id } }) },
  find: async ({ id = '' }, { deps }) => {
    const { state } = await deps.aggregates.load(appeal, id);
    if (state.status !== 'answered' || OF_FORUMS.includes(state.decision.kind)) return [];
    const { accountId: to, accepted, isFinal, decision } = state;
    const ifAccepted = isFinal ? ('final' as const) : ('undone' as const);
    const outcome = accepted ? ifAccepted : ('refused' as const);
    return [{ to, params: { appeal_id: id, about: decision.kind, outcome } }];
  },
  text: {
    ru: ({ outcome }) => ({ title: 'Ответ на апелляцию', body: RU[outcome] }),
    en: ({ outcome }) => ({ title: 'Your appeal was answered', body: EN[outcome] }),
  },
  link: () => '/appeals',
});

export const appealNotifications = [appealAnswered];
