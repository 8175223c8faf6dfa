/** The environment settings of the support. */
import { integer } from '../../infra/settings.ts';
import type { ModuleConfig } from '../core/module.ts';
import type { SupportPorts } from './deps.ts';

export const supportSettings = {
  SUPPORT_ANSWER_MINUTES: integer(
    30,
    1,
    10_080,
    'Minutes in which an agent of the support has to answer before the ticket goes back to the queue.',
  ),
};

export const connectSupport = (config: ModuleConfig<typeof supportSettings>): SupportPorts => ({
  settings: { supportAnswerMinutes: config.SUPPORT_ANSWER_MINUTES },
});
