/** The channel of the rescuers. */
import type { Channel } from '../engine/channels.ts';

/** All SOS incidents, for admins. */
export const sosBoardChannel: Channel = { name: 'sos_board', address: 'sos_board' };
