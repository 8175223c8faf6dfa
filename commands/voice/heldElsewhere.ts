/** What this module holds about people outside of tables. */

import { voicePurpose } from '../../domain/voice/purpose.ts';
import type { HeldElsewhere } from '../../infra/holding.ts';

export const voiceElsewhere: readonly HeldElsewhere[] = [
  {
    what: 'sound recordings of voice rooms: the bucket',
    where: 'files',
    why: voicePurpose,
    kept: { until: '`VOICE_RECORDING_DAYS` after the recording has ended, when a job deletes the file' },
    exported: 'which ones, in `recorded_voices` and `voice_recordings`; people who were in the room can play them',
    erased: 'the file as a whole, of every recording during which the person was in the room',
  },
  {
    what: 'who is in a room, at the LiveKit server',
    where: 'provider',
    why: voicePurpose,
    kept: { until: 'the room is empty' },
    exported: 'no: it is gone when the person leaves',
    erased: 'removed from the room; whoever comes back with a token of before is removed again',
  },
];
