/** The ports of recommendations. */
import { hasConsent } from '../consents/consents.ts';
import type { CoreDeps } from '../core/deps.ts';
import type { ModuleConfig } from '../core/module.ts';
import type { RecommendationPorts } from './deps.ts';
import { createReasonPhrasing, plainPhrasing, type ReasonPhrasing } from './phrasing.ts';
import type { recommendationSettings } from './settings.ts';

type Config = ModuleConfig<typeof recommendationSettings>;

const phrasingOf = (config: Config, { log }: CoreDeps): ReasonPhrasing => {
  const { LANGUAGE_MODEL_URL: url, LANGUAGE_MODEL: name, LANGUAGE_MODEL_KEY: key = null } = config;
  if (url === undefined || name === undefined) return plainPhrasing;
  const timeoutMs = config.LANGUAGE_MODEL_TIMEOUT_MS;
  return createReasonPhrasing({ url: url.replace(/\/$/, ''), name, key, timeoutMs }, log);
};

export const connectRecommendations = (config: Config, core: CoreDeps): RecommendationPorts => ({
  reasonPhrasing: phrasingOf(config, core),
  mayRecommend: (accountId) => hasConsent(core, accountId, 'recommendations'),
});
