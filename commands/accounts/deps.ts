/** What the commands on accounts need beside the core. */
import type { CoreDeps } from '../core/deps.ts';
import type { IdentityProviders } from './identityProvider.ts';
import type { SmsSender } from './smsSender.ts';

export interface AccountPorts {
  readonly identityProviders: IdentityProviders;
  readonly sms: SmsSender;
  readonly settings: AccountSettings;
}
export type AccountDeps = CoreDeps & AccountPorts;

interface AccountSettings {
  readonly jwtSecret: string;
  /** Still verifies access tokens while the secret is being changed. */
  readonly jwtSecretPrevious: string | undefined;
  /** The key of the hashes of one-time codes. */
  readonly smsPepper: string;
  /** Factor on the limits that many people can share, such as failed sign-ins from one address; 0 = none. */
  readonly rateLimits: number;
  /** Messages with codes that strangers can have sent: from an address in an hour, to a number and in all in a day; 0 = any. */
  readonly smsPerAddress: number;
  readonly smsPerNumber: number;
  readonly smsPerDay: number;
  /** The longest delay of an answer after too many failed attempts, in milliseconds. */
  readonly longestDelayMs: number;
  /** Days between the request to delete an account and its erasure; 0: at once. */
  readonly erasureGraceDays: number;
}
