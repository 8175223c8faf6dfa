/** What the commands on support tickets need beside the core. */
import type { CoreDeps } from '../core/deps.ts';

export interface SupportPorts {
  readonly settings: SupportSettings;
}
export type SupportDeps = CoreDeps & SupportPorts;

interface SupportSettings {
  /** An agent who has taken a ticket has to answer within this many minutes. */
  readonly supportAnswerMinutes: number;
}
