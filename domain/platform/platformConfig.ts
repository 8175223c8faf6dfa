/** The configuration of the apps. It is one stream, `platformConfig-<ONLY_ONE>`; each change is a revision. */
import { isDeepStrictEqual } from 'node:util';
import { Type } from '@sinclair/typebox';
import { type Decider, type EventDeclarations, type EventsOf, Rejected } from '../core/decider.ts';
import { Nullable } from '../core/schema.ts';
import { ChangeReason } from '../flags/flagRules.ts';
import { checkConfig, defaultConfig, PlatformConfig, patched } from './config.ts';

export const Revision = Type.Integer({ minimum: 0 });

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

interface Why {
  readonly reason: string | null;
  /** Only if this is still the revision; undefined: whatever it is. */
  readonly ifRevision?: readonly number[] | undefined;
}
export type PlatformConfigCommand =
  | ({ readonly type: 'PatchConfig'; readonly patch: object } & Why)
  /** `config` is that of the earlier revision `revertsTo`. */
  | ({ readonly type: 'RevertConfig'; readonly revertsTo: number; readonly config: PlatformConfig } & Why);

export interface ConfigState {
  readonly revision: number;
  readonly config: PlatformConfig;
}

const change = (state: ConfigState, config: PlatformConfig, revertsTo: number | null, reason: string | null) => {
  if (isDeepStrictEqual(config, state.config)) return [];
  checkConfig(config);
  const data = { revision: state.revision + 1, config, revertsTo, reason };
  return [{ type: 'PlatformConfigChanged' as const, data }];
};

const decide = (command: PlatformConfigCommand, state: ConfigState): PlatformConfigEvent[] => {
  const { reason, ifRevision } = command;
  if (ifRevision && !ifRevision.includes(state.revision))
    throw new Rejected('outdated_revision', 'The configuration was changed meanwhile. Read it again, then repeat.', {
      revision: state.revision,
    });
  switch (command.type) {
    case 'PatchConfig':
      return change(state, patched(state.config, command.patch), null, reason);
    case 'RevertConfig':
      // A release may have added members since.
      return change(state, { ...defaultConfig, ...command.config }, command.revertsTo, reason);
  }
};

const evolve = (_: ConfigState, { data: { revision, config } }: PlatformConfigEvent): ConfigState => ({
  revision,
  config: { ...defaultConfig, ...config },
});

export const platformConfig: Decider<ConfigState, PlatformConfigCommand, PlatformConfigEvent> = {
  category: 'platformConfig',
  events: platformConfigEvents,
  initial: { revision: 0, config: defaultConfig },
  decide,
  evolve,
};
