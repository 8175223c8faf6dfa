/** What the commands on passes need beside the core. */
import type { CoreDeps } from '../core/deps.ts';
import type { PassKeys } from './keys.ts';

export interface PassPorts {
  readonly passKeys: PassKeys;
}
export type PassDeps = CoreDeps & PassPorts;
