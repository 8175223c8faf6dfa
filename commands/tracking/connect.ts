/** The ports of tracking. */
import { NO_MAP } from '../../domain/tracking/area.ts';
import type { TrackingPorts } from './deps.ts';

export const connectTracking = (): TrackingPorts => ({ resortMap: async () => NO_MAP });
