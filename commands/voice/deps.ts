/** What the commands on voice rooms need beside the core. */
import type { CoreDeps } from '../core/deps.ts';
import type { WithSettings } from '../core/settings.ts';
import type { FilePorts } from '../files/deps.ts';
import type { voiceSettings } from './settings.ts';
import type { VoiceServer } from './voiceServer.ts';

export interface VoicePorts {
  /** null: there is none. */
  readonly voiceServer: VoiceServer | null;
}
export type VoiceDeps = CoreDeps & VoicePorts & Pick<FilePorts, 'fileStore'> & WithSettings<typeof voiceSettings>;
