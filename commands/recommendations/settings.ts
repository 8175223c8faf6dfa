/** The environment settings of recommendations. */
import { HTTP_URL, integer, together, unset } from '../../infra/settings.ts';

export const recommendationSettings = {
  ...together({
    LANGUAGE_MODEL_URL: unset({
      pattern: HTTP_URL,
      description:
        'Address of an API like that of OpenAI, up to and including `/v1`, whose model phrases the reasons of recommendations. It is sent sentences about listings, nothing about people. Unset = plain sentences.',
    }),
    LANGUAGE_MODEL: unset({ minLength: 1, description: 'Name of the model.' }),
  }),
  LANGUAGE_MODEL_KEY: unset({
    secret: true,
    needs: ['LANGUAGE_MODEL_URL'],
    minLength: 1,
    description: 'Key that is sent to the model as bearer. Unset = none.',
  }),
  LANGUAGE_MODEL_TIMEOUT_MS: integer(
    10_000,
    100,
    120_000,
    'Milliseconds that the model has for an answer. No reply waits for it.',
  ),
};
