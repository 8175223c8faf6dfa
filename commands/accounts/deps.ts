/** What the commands on accounts need beside the core. */
import type { CoreDeps } from '../core/deps.ts';
import type { WithSettings } from '../core/settings.ts';
import type { IdentityProviders } from './identityProvider.ts';
import type { accountSettings } from './settings.ts';
import type { SmsSender } from './smsSender.ts';

export interface AccountPorts {
  readonly identityProviders: IdentityProviders;
  readonly sms: SmsSender;
  /** The longest delay of an answer after too many failed attempts, in milliseconds. */
  readonly settings: { readonly longestDelayMs: number };
}
export type AccountDeps = CoreDeps & AccountPorts & WithSettings<typeof accountSettings>;
