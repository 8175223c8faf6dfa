/** What the commands on calls need beside the core. */
import type { CoreDeps } from '../core/deps.ts';
import type { TurnServer } from './turn.ts';

export interface CallPorts {
  readonly settings: {
    /** The TURN server of clients; null where there is none. */
    readonly turn: TurnServer | null;
  };
}
export type CallDeps = CoreDeps & CallPorts;
