/** Looks in a long stream for the event that was to be recorded after a file was attached. */
import { type AnyEvent, type Decider, streamName } from '../../domain/core/decider.ts';
import { HOUR_MS } from '../../domain/core/instants.ts';
import type { FileFacts } from '../../domain/files/file.ts';
import type { EventOf, EventType } from '../../domain/modules.ts';
import type { CoreDeps } from '../core/deps.ts';
import type { FileUse } from './fileUses.ts';

const PAGE = 500;
/** The clocks of two nodes differ by less, in milliseconds. */
const CLOCKS_MS = HOUR_MS;

/**
 * Finds the use of a file in the stream that its usage names, back to when the file was attached. An unreadable event is taken
 * for it.
 * @param decider of the stream
 * @param uses what such an event says: the id of what uses files, and which
 */
export const recordedUse = <S, C, E extends AnyEvent, T extends EventType>(
  decider: Decider<S, C, E>,
  type: T,
  uses: (event: EventOf<T>) => { readonly id: string; readonly files: readonly FileFacts[] },
): FileUse<Pick<CoreDeps, 'aggregates' | 'store' | 'codec'>> => {
  const only = new Set<string>([type]);
  return async ({ aggregates, store, codec }, { id, within, fileId, attachedAt }) => {
    // What a usage uses that does not name its stream cannot be found.
    if (within === undefined) return true;
    const is = (event: EventOf<T>): boolean => {
      const used = uses(event);
      return used.id === id && used.files.some((file) => file.fileId === fileId);
    };
    const since = Date.parse(attachedAt) - CLOCKS_MS;
    const { revision } = await aggregates.load(decider, within);
    for (let from = revision; from !== null && from >= 0n; from -= BigInt(PAGE)) {
      const stored = await store.read(streamName(decider.category, within), {
        from,
        direction: 'backwards',
        max: PAGE,
      });
      const { events, unreadable } = await codec.decodeEach<EventOf<T>>(stored, { only, address: false });
      if (unreadable.length > 0 || events.some(is)) return true;
      if (events.some(({ at }) => Date.parse(at) < since)) return false;
    }
    return false;
  };
};
