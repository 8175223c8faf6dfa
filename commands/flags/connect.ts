/** What constraints on `environment` are held against. */
import type { ModuleConfig } from '../core/module.ts';

export interface FlagPorts {
  readonly settings: { readonly environment: string };
}

export const connectFlags = ({ NODE_ENV }: ModuleConfig<Record<never, never>>): FlagPorts => ({
  settings: { environment: NODE_ENV },
});
