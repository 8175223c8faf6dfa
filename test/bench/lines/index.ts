/** All lines of the table, in its order. */
import type { Line } from '../line.ts';
import { appEvents } from './appEvents.ts';
import { computedLines } from './computed.ts';
import { disk } from './disk.ts';
import { funnel } from './funnel.ts';
import { growth } from './growth.ts';
import { logLines } from './logs.ts';
import { oneNight } from './oneNight.ts';
import { pushes } from './pushes.ts';
import { realtimeLines } from './realtime.ts';
import { requestLines } from './requests.ts';
import { scans } from './scans.ts';
import { search } from './search.ts';
import { writeLines } from './writes.ts';

export const lines: readonly Line[] = [
  ...writeLines,
  oneNight,
  scans,
  appEvents,
  pushes,
  ...requestLines,
  search,
  ...computedLines,
  funnel,
  ...logLines,
  disk,
  ...realtimeLines,
  growth,
];
