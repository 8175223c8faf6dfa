/** The domain manifest of this module. */

import { voicePurpose } from './purpose.ts';
import { voiceRecording } from './recording.ts';
import { voiceRoom } from './room.ts';

export const voice = { aggregates: [voiceRoom, voiceRecording], purpose: voicePurpose } as const;
