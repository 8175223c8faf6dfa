/** Converts the client's events to ours. */
import type { AllStreamResolvedEvent, ResolvedEvent } from '@eventstore/db-client';
import type { StoredMetadata } from '../metadata.ts';
import type { StoredEvent } from '../store.ts';

/**
 * Returns one event, or none for a system event. An event that is not JSON is returned too: the codec rejects it by
 * name, so that nothing is skipped silently.
 */
export const toStored = ({ event }: ResolvedEvent | AllStreamResolvedEvent): StoredEvent[] =>
  event === undefined || event.type.startsWith('$')
    ? []
    : [
        {
          id: event.id,
          type: event.type,
          data: event.data as StoredEvent['data'],
          // Not checked here: the codec validates it.
          metadata: event.metadata as StoredMetadata,
          stream: event.streamId,
          revision: event.revision,
          position: event.position ?? { commit: 0n, prepare: 0n },
        },
      ];
