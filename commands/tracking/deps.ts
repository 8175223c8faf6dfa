/** What the commands of tracking need beside the core. */
import type { ResortMap } from '../../domain/tracking/area.ts';
import type { CoreDeps } from '../core/deps.ts';
import type { WithSettings } from '../core/settings.ts';
import type { trackingSettings } from './settings.ts';

export interface TrackingPorts {
  /**
   * The resort's lifts, by which rides are told from runs, and its ground. Nothing here: the module that knows them replaces
   * it in its own `connect`.
   */
  readonly resortMap: () => Promise<ResortMap>;
}
export type TrackingDeps = CoreDeps & TrackingPorts & WithSettings<typeof trackingSettings>;
