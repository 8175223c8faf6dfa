/** What push messages need beside the core. */
import type { CoreDeps } from '../core/deps.ts';
import type { WithSettings } from '../core/settings.ts';
import type { Circuit } from './circuit.ts';
import type { PushService, PushServiceName } from './service.ts';
import type { pushSettings } from './settings.ts';

export interface PushPorts {
  /** A service that is not set up is missing. */
  readonly pushServices: Readonly<Partial<Record<PushServiceName, PushService>>>;
  /** Which of their servers are away, as this process has found. */
  readonly pushCircuit: Circuit;
  readonly settings: PushSettings;
}
export type PushDeps = CoreDeps & PushPorts & WithSettings<typeof pushSettings>;

interface PushSettings {
  /** What browsers subscribe with: the public key of VAPID, base64url; null where Web Push is not set up. */
  readonly webPushKey: string | null;
  /** The origin of the sandbox, which may take the place of the services; null in production. */
  readonly pushSandbox: string | null;
}
