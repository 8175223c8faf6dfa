/** The environment settings of passes. */
import { secret, unset } from '../../infra/settings.ts';

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
