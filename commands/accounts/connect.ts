/** The ports of accounts, made from the settings. */
import type { CoreDeps } from '../core/deps.ts';
import type { ModuleConfig } from '../core/module.ts';
import type { AccountPorts } from './deps.ts';
import { createGatewaySms, noSms } from './gatewaySms.ts';
import { identityProvidersOf } from './identityProviders.ts';
import { createSandboxSms } from './sandboxSms.ts';
import type { accountSettings } from './settings.ts';
import type { SmsSender } from './smsSender.ts';

type Config = ModuleConfig<typeof accountSettings>;

const LONGEST_DELAY_MS = 30_000;

export const smsSenderOf = (config: Config, { pool, log }: Pick<CoreDeps, 'pool' | 'log'>): SmsSender => {
  if (config.SMS_GATEWAY_URL) return createGatewaySms(config.SMS_GATEWAY_URL, config.SMS_GATEWAY_TOKEN ?? '');
  return config.NODE_ENV === 'production' ? noSms : createSandboxSms(pool, log, config.SANDBOX_PUBLIC_URL);
};

export const connectAccounts = (config: Config, core: CoreDeps): AccountPorts => ({
  identityProviders: identityProvidersOf(config),
  sms: smsSenderOf(config, core),
  settings: { longestDelayMs: LONGEST_DELAY_MS },
});
