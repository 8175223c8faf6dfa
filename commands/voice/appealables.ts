/** A recording that somebody else has removed, and how it can be played again: while its file is there. */
import { voiceRecording } from '../../domain/voice/recording.ts';
import type { AppealableKinds } from '../reports/appealables.ts';
import { restoreRecording } from './recordingRemovals.ts';

export const voiceAppealables = {
  voice_recording: {
    standing: async ({ aggregates }, id) => {
      const { state } = await aggregates.load(voiceRecording, id);
      if (state.status === 'none' || state.takenAway === null) return undefined;
      const { requestedBy: accountId, removals: number } = state;
      return { accountId, number, isFinal: state.status === 'removed' };
    },
    undo: restoreRecording,
  },
} as const satisfies AppealableKinds['appealables'];
