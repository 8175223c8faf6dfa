/** The environment settings of passes, and the keys that are made from them. */
import { secret, unset } from '../../infra/settings.ts';
import type { ModuleConfig } from '../core/module.ts';
import type { PassPorts } from './deps.ts';
import { passKeysOf } from './keys.ts';

export const passSettings = {
  PASS_SECRET: secret('dev-only-pass-secret-not-for-production', {
    minLength: 32,
    description: 'The key that signs the codes of ski passes is derived from it.',
  }),
  PASS_SECRET_PREVIOUS: unset({
    secret: true,
    minLength: 32,
    description:
      'The previous secret: its codes stay valid while it is set. Keep it until no pass that was issued with it is valid.',
  }),
};

export const connectPasses = (config: ModuleConfig<typeof passSettings>): PassPorts => ({
  passKeys: passKeysOf(config.PASS_SECRET, config.PASS_SECRET_PREVIOUS),
});
