/** What the commands on voice rooms need beside the core. */
import type { AccountDeps } from '../accounts/deps.ts';
import type { CoreDeps } from '../core/deps.ts';
import type { FilePorts } from '../files/deps.ts';
import type { VoiceServer } from './voiceServer.ts';

export interface VoicePorts {
  /** null: there is none. */
  readonly voiceServer: VoiceServer | null;
  readonly settings: {
    /** How long recordings are kept, in days. */
    readonly voiceRecordingDays: number;
  };
}
export type VoiceDeps = CoreDeps & VoicePorts & Pick<AccountDeps, 'vault'> & Pick<FilePorts, 'fileStore'>;
