/** The keys of passes, made from the settings. */
import type { ModuleConfig } from '../core/module.ts';
import type { PassPorts } from './deps.ts';
import { passKeysOf } from './keys.ts';
import type { passSettings } from './settings.ts';

export const connectPasses = (config: ModuleConfig<typeof passSettings>): PassPorts => ({
  passKeys: passKeysOf(config.PASS_SECRET, config.PASS_SECRET_PREVIOUS),
});
