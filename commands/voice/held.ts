/** What this module holds about people outside of tables. */

import { voicePurpose } from '../../domain/voice/purpose.ts';
import type { HeldElsewhere } from '../../infra/holding.ts';

export const voiceElsewhere: readonly HeldElsewhere[] = [
  {
    what: 'sound recordings of voice rooms: the bucket',
    where: 'files',
    why: voicePurpose,
    kept: {
      until:
        '`VOICE_RECORDING_DAYS` after the recording has ended: no link plays it any more; see docs/voice.md for who deletes the file',
    },
    exported: 'that one was asked for, in `voice_recordings`; who was in the room can play it',
    erased: 'not cut out of what others said: the file goes as a whole, see docs/voice.md',
  },
  {
    what: 'who is in a room, at the LiveKit server',
    where: 'provider',
    why: voicePurpose,
    kept: { until: 'the room is empty' },
    exported: 'no: it is gone when the person leaves',
    erased: 'no new token; the connection ends with the room',
  },
];
