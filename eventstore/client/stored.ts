/** From the client's event to ours. */
import type { AllStreamResolvedEvent, ResolvedEvent } from '@eventstore/db-client';
import type { StoredEvent } from '../store.ts';

/**
 * One, or none for a system event. What is no JSON of ours is handed on all the same: the codec refuses it by name,
 * nothing is skipped in silence.
 */
export const toStored = ({ event }: ResolvedEvent | AllStreamResolvedEvent): StoredEvent[] =>
  event === undefined || event.type.startsWith('$')
    ? []
    : [
        {
          id: event.id,
          type: event.type,
          data: event.data as StoredEvent['data'],
          metadata: event.metadata as unknown as StoredEvent['metadata'],
          stream: event.streamId,
          revision: event.revision,
          position: event.position ?? { commit: 0n, prepare: 0n },
        },
      ];
