/** The environment settings of the platform. */
import { isTimezone } from '../../domain/core/dates.ts';
import { defaultConfig } from '../../domain/platform/config.ts';
import { unset } from '../../infra/settings.ts';

export const platformSettings = {
  RESORT_TIMEZONE: unset({
    minLength: 1,
    unreadable: (name: string) =>
      isTimezone(name) ? undefined : `RESORT_TIMEZONE must be an IANA time zone, got ${JSON.stringify(name)}`,
    description: `IANA time zone of the resort, taken over once into \`timezone\` of the configuration (\`PATCH /platform/config\`), as long as nobody has changed it there. Unset = ${defaultConfig.timezone}.`,
  }),
};
