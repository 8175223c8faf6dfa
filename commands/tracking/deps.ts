/** What the commands of tracking need beside the core. */
import type { ResortMap } from '../../domain/tracking/area.ts';
import type { CoreDeps } from '../core/deps.ts';

export interface TrackingPorts {
  /**
   * The resort's lifts, by which rides are told from runs, and its ground. Nothing here: the module that knows them replaces
   * it in its own `connect`.
   */
  readonly resortMap: () => Promise<ResortMap>;
  readonly settings: TrackingSettings;
}
export type TrackingDeps = CoreDeps & TrackingPorts;

export interface TrackingSettings {
  /** `MM-DD`. */
  readonly seasonBegins: string;
  /** A session without points for this long is finished. */
  readonly trackAbandonedMs: number;
  readonly trackRetentionDays: number;
}
