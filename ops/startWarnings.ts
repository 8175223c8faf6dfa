/** What whoever starts the system should know, one line each in the log of the start. */
import type { Logger } from '../infra/log.ts';
import { descriptorWarnings } from './clientLimits.ts';
import { type Config, warningsFor } from './config.ts';
import { nodeWarnings } from './version.ts';

/** @param processes the settings of each process that is started */
export const logStartWarnings = (
  log: Logger,
  config: Config,
  env: NodeJS.ProcessEnv,
  processes: readonly Config[] = [config],
): void => {
  for (const warning of [...nodeWarnings(), ...warningsFor(config, env), ...descriptorWarnings(processes)])
    log.warn(warning);
};
