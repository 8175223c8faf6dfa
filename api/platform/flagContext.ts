/** For whom flags are evaluated in a request, and how the results are shown. */
import { Type } from '@sinclair/typebox';
import { Language } from '../../domain/accounts/accountEvents.ts';
import { MapOf, Nullable, OneOf } from '../../domain/core/schema.ts';
import { appPlatforms, type FlagContext } from '../../domain/flags/context.ts';
import { type Evaluation, evaluate } from '../../domain/flags/evaluate.ts';
import { FlagKey, type FlagRules, Variant } from '../../domain/flags/flag.ts';
import type { App } from '../http/app.ts';
import type { Caller } from '../http/caller.ts';

/** What an app says about itself. */
export const appQuery = {
  platform: Type.Optional(OneOf(appPlatforms)),
  app_version: Type.Optional(Type.String({ minLength: 1, maxLength: 64, examples: ['2.4.0'] })),
  language: Type.Optional(Language),
};

type Settings = Pick<App, 'settings'>;

/** What the server knows by itself: this is what parts of the product are opened by. */
export const knownContext = (
  { settings }: Settings,
  { caller, ip }: { readonly caller: Caller; readonly ip: string },
  at: string,
): FlagContext => ({
  ...(caller?.kind === 'user' && { userId: caller.id, sessionId: caller.sessionId, role: caller.role }),
  remoteAddress: ip,
  environment: settings.nodeEnv,
  currentTime: at,
  random: null,
});

/** Nobody in particular: the same for everybody who asks. */
export const nobodysContext = ({ settings }: Settings, at: string): FlagContext => ({
  environment: settings.nodeEnv,
  currentTime: at,
  random: null,
});

/** One flag for somebody. */
export const FlagState = Type.Object(
  {
    enabled: Type.Boolean(),
    variant: Nullable(Type.String({ description: 'Name of the variant; null: none.' })),
    payload: Nullable(Type.Required(Variant).properties.payload),
  },
  { $id: 'FlagState' },
);
/** Every flag for somebody: also those that are off, so that an app can tell off from unknown. */
export const FlagStates = MapOf(FlagKey, FlagState, { maxProperties: 500 });

export const stateOf = ({ enabled, variant }: Evaluation) => ({
  enabled,
  variant: variant?.name ?? null,
  payload: variant?.payload ?? null,
});

export const statesFor = (rules: FlagRules, context: FlagContext) =>
  Object.fromEntries([...rules.flags].map(([key]) => [key, stateOf(evaluate(rules, key, context))]));
