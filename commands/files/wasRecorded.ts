/** Looks in a long stream for the event that was to be recorded after a file was attached. */
import { streamName } from '../../domain/core/decider.ts';
import { HOUR_MS } from '../../domain/core/instants.ts';
import type { EventOf, EventType } from '../../domain/modules.ts';
import type { CoreDeps } from '../core/deps.ts';

const PAGE = 500;
/** The clocks of two nodes differ by less, in milliseconds. */
const CLOCKS_MS = HOUR_MS;

export interface Sought<T extends EventType> {
  readonly category: string;
  /** Of the stream. */
  readonly id: string;
  /** Where to begin, going backwards; null: the stream is empty. */
  readonly from: bigint | null;
  readonly type: T;
  readonly is: (event: EventOf<T>) => boolean;
  /** RFC 3339. */
  readonly attachedAt: string;
}

/** Whether there is such an event, back to when the file was attached. An unreadable one is taken for it. */
export const wasRecorded = async <T extends EventType>(
  { store, codec }: Pick<CoreDeps, 'store' | 'codec'>,
  { category, id, type, is, attachedAt, ...sought }: Sought<T>,
): Promise<boolean> => {
  const since = Date.parse(attachedAt) - CLOCKS_MS;
  const only = new Set<string>([type]);
  for (let from = sought.from; from !== null && from >= 0n; from -= BigInt(PAGE)) {
    const stored = await store.read(streamName(category, id), { from, direction: 'backwards', max: PAGE });
    const { events, unreadable } = await codec.decodeEach<EventOf<T>>(stored, { only, address: false });
    if (unreadable.length > 0 || events.some(is)) return true;
    if (events.some(({ at }) => Date.parse(at) < since)) return false;
  }
  return false;
};
