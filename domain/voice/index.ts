/** The domain manifest of this module. */
import { voiceRecording } from './recording.ts';
import { voiceRoom } from './room.ts';

export const voice = { aggregates: [voiceRoom, voiceRecording] } as const;
