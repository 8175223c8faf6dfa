/**
 * The time zone of the resort is one member of the configuration of the apps. Whatever counts days in it takes it from here, at
 * the time of the command, and stores the day: a later change of the time zone moves no day that was counted, and a rebuilt
 * read model is the same.
 */
import { type Recorded, streamName } from '../../domain/core/decider.ts';
import { isAfter } from '../../domain/core/instants.ts';
import { ONLY_ONE } from '../../domain/core/schema.ts';
import { defaultConfig } from '../../domain/platform/config.ts';
import { type PlatformConfigEvent, platformConfig } from '../../domain/platform/platformConfig.ts';
import { derivedId } from '../../infra/ids.ts';
import { createBackoff, sleep } from '../../infra/retry.ts';
import type { CoreDeps } from '../core/deps.ts';
import { FOR_QUOTE } from '../core/handle.ts';
import type { WithSettings } from '../core/settings.ts';
import type { platformSettings } from './settings.ts';

/** IANA name of the time zone of the resort, as it was at most a second ago. */
export const timezoneNow = async ({ aggregates }: Pick<CoreDeps, 'aggregates'>): Promise<string> =>
  (await aggregates.load(platformConfig, ONLY_ONE, FOR_QUOTE)).state.config.timezone;

const SETTING = 'RESORT_TIMEZONE' satisfies keyof typeof platformSettings;
const ACTOR = { kind: 'system', id: `setting:${SETTING}`, role: 'system' } as const;
const STREAM = streamName(platformConfig.category, ONLY_ONE);

/**
 * The time zone that was in force at an instant, whatever it is now. The one that was adopted was in force before, too, by the
 * setting.
 */
export const timezoneAt = async (
  { store, codec }: Pick<CoreDeps, 'store' | 'codec'>,
  instant: string,
): Promise<string> => {
  const changes = await codec.decode<Recorded<PlatformConfigEvent>>(await store.read(STREAM));
  const { timezone } = changes.findLast(({ at }) => !isAfter(at, instant))?.data.config ?? defaultConfig;
  const adopted = changes.find(({ at, meta }) => meta.actor.id === ACTOR.id && isAfter(at, instant));
  return adopted?.data.config.timezone ?? timezone;
};

type Deps = Pick<CoreDeps & WithSettings<typeof platformSettings>, 'aggregates' | 'log' | 'now' | 'settings'>;

/** Takes over the time zone of the setting, unless the configuration has had one of its own. Safe to repeat. */
const adopt = async ({ aggregates, log, now }: Deps, timezone: string): Promise<void> => {
  const id = derivedId(SETTING, timezone);
  const context = { commandId: id, correlationId: id, causationId: id, actor: ACTOR, ip: null, at: now() };
  const command = { type: 'AdoptTimezone', timezone, reason: `The setting ${SETTING}` } as const;
  const { state } = await aggregates.handle(platformConfig, ONLY_ONE, command, context);
  const { timezone: inForce } = state.config;
  if (inForce !== timezone)
    log.warn(
      { setting: timezone, timezone: inForce },
      `${SETTING} is not used: the time zone was changed in the configuration`,
    );
};

/** Adopts the time zone of the setting, again until it can. It never throws. */
export const adoptTimezone = async (deps: Deps, signal: AbortSignal): Promise<void> => {
  const { resortTimezone: timezone } = deps.settings;
  if (timezone === undefined) return;
  for (const backoff = createBackoff(); !signal.aborted; )
    try {
      await adopt(deps, timezone);
      return;
    } catch (err) {
      deps.log.warn({ err }, `the time zone of ${SETTING} cannot be taken over yet`);
      await sleep(backoff.next(), signal);
    }
};
