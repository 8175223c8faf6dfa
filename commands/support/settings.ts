/** The environment settings of the support. */
import { integer } from '../../infra/settings.ts';

export const supportSettings = {
  SUPPORT_ANSWER_MINUTES: integer(
    30,
    1,
    10_080,
    'Minutes in which an agent of the support has to answer before the ticket goes back to the queue.',
  ),
};
