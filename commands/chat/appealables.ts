/** A removed message, and how it comes back: while what was kept of it is there. */
import { message } from '../../domain/chat/message.ts';
import type { AppealableKinds } from '../reports/appealable.ts';
import { hasEnded } from '../reports/evidence.ts';
import { restoreMessage } from './messages.ts';

export const messageAppealables = {
  message: {
    standing: async (deps, id) => {
      const { removed, removals: number } = (await deps.aggregates.load(message, id)).state;
      if (removed === null) return undefined;
      return { accountId: removed.senderId, number, isFinal: await hasEnded(deps, { kind: 'message', id }) };
    },
    undo: restoreMessage,
  },
} as const satisfies AppealableKinds['appealables'];
