/** The domain manifest of this module. */

import { voiceRecording } from './recording.ts';
import { voiceRoom } from './room.ts';

/** Why this module holds personal data. */
export const voicePurpose = {
  purpose: 'let people talk in the room of a topic, and record it where everybody in it is told',
  basis: 'contract',
  seenBy: ['members'],
} as const;

export const voice = { aggregates: [voiceRoom, voiceRecording], purpose: voicePurpose } as const;
