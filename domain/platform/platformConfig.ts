/** The configuration of the apps. It is one stream, `platformConfig-<ONLY_ONE>`; each change is a revision. */
import { isDeepStrictEqual } from 'node:util';
import { Type } from '@sinclair/typebox';
import type { Decider, EventDeclarations, EventsOf } from '../core/decider.ts';
import { type IfRevision, Revision, refuseOutdated } from '../core/revision.ts';
import { Nullable } from '../core/schema.ts';
import { ChangeReason } from '../flags/flagRules.ts';
import { checkConfig, defaultConfig, PlatformConfig, patched } from './config.ts';

const platformConfigEvents = {
  PlatformConfigChanged: {
    data: Type.Object({
      revision: Revision,
      /** As a whole: any earlier state can be read and returned to. */
      config: PlatformConfig,
      /** The revision that it returns to; null: a change of its own. */
      revertsTo: Nullable(Revision),
      reason: Nullable(ChangeReason),
    }),
  },
} as const satisfies EventDeclarations;
export type PlatformConfigEvent = EventsOf<typeof platformConfigEvents>;

/** The part of every change of a configuration. */
export interface ConfigChange extends IfRevision {
  readonly reason: string | null;
}
export type PlatformConfigCommand =
  | ({ readonly type: 'PatchConfig'; readonly patch: object } & ConfigChange)
  /** `config` is that of the earlier revision `revertsTo`. */
  | ({ readonly type: 'RevertConfig'; readonly revertsTo: number; readonly config: PlatformConfig } & ConfigChange)
  /** Takes the time zone of a setting of the process, as long as nobody has changed the one here. */
  | { readonly type: 'AdoptTimezone'; readonly timezone: string; readonly reason: string };

export interface ConfigState {
  readonly revision: number;
  readonly config: PlatformConfig;
}

interface PlatformConfigState extends ConfigState {
  /** Whether the time zone was ever another one than before: it is then no default any more. */
  readonly hasOwnTimezone: boolean;
}

const change = (state: ConfigState, config: PlatformConfig, revertsTo: number | null, reason: string | null) => {
  if (isDeepStrictEqual(config, state.config)) return [];
  checkConfig(config);
  const data = { revision: state.revision + 1, config, revertsTo, reason };
  return [{ type: 'PlatformConfigChanged' as const, data }];
};

const decide = (command: PlatformConfigCommand, state: PlatformConfigState): PlatformConfigEvent[] => {
  if (command.type === 'AdoptTimezone') {
    const { timezone, reason } = command;
    return state.hasOwnTimezone ? [] : change(state, { ...state.config, timezone }, null, reason);
  }
  refuseOutdated('The configuration', command, state.revision);
  const { reason } = command;
  switch (command.type) {
    case 'PatchConfig':
      return change(state, patched(state.config, command.patch), null, reason);
    case 'RevertConfig':
      // A release may have added members since.
      return change(state, { ...defaultConfig, ...command.config }, command.revertsTo, reason);
  }
};

const evolve = (state: PlatformConfigState, { data }: PlatformConfigEvent): PlatformConfigState => {
  const config = { ...defaultConfig, ...data.config };
  const hasOwnTimezone = state.hasOwnTimezone || config.timezone !== state.config.timezone;
  return { revision: data.revision, config, hasOwnTimezone };
};

export const platformConfig: Decider<PlatformConfigState, PlatformConfigCommand, PlatformConfigEvent> = {
  category: 'platformConfig',
  short: 'people of the resort write it',
  events: platformConfigEvents,
  initial: { revision: 0, config: defaultConfig, hasOwnTimezone: false },
  decide,
  evolve,
};
