/** Converts the client's events to ours, whatever bytes they have. */
import type { AllStreamResolvedEvent, ResolvedEvent } from '@eventstore/db-client';
import type { StoredMetadata } from '../metadata.ts';
import type { StoredEvent } from '../store.ts';

/** How deep values lie in each other at most. Ours are a dozen deep, and programs that follow them call themselves. */
const MAX_DEPTH = 200;

/** Whether JSON is written of it again that reads the same. */
const isWritable = (value: unknown, depth = 0): boolean => {
  if (typeof value === 'number') return Number.isFinite(value);
  if (value === null || typeof value !== 'object') return true;
  return depth < MAX_DEPTH && Object.values(value).every((inner) => isWritable(inner, depth + 1));
};

const numberText = (value: number): string => (Number.isFinite(value) ? String(value) : `${value < 0 ? '-' : ''}1e400`);

/** Its JSON, however deep it is, with numbers that are too large for JavaScript. */
const jsonText = (value: unknown): string => {
  const pieces: string[] = [];
  // What is still to be written, the next at the end.
  const left: ({ readonly text: string } | { readonly value: unknown })[] = [{ value }];
  for (let next = left.pop(); next; next = left.pop()) {
    if ('text' in next) pieces.push(next.text);
    else if (typeof next.value === 'number') pieces.push(numberText(next.value));
    else if (next.value === null || typeof next.value !== 'object') pieces.push(JSON.stringify(next.value));
    else {
      const isList = Array.isArray(next.value);
      const entries = Object.entries(next.value);
      left.push({ text: isList ? ']' : '}' });
      for (const [n, [name, inner]] of [...entries.entries()].reverse())
        left.push({ value: inner }, { text: (n > 0 ? ',' : '') + (isList ? '' : `${JSON.stringify(name)}:`) });
      left.push({ text: isList ? '[' : '{' });
    }
  }
  return pieces.join('');
};

/** Bytes that are no JSON, as text: as they are if they are UTF-8, otherwise as base64. */
const bytesText = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return Buffer.from(bytes).toString('base64');
  }
};

const jsonValue = (value: unknown): unknown => {
  if (value instanceof Uint8Array) return bytesText(value);
  return isWritable(value) ? value : jsonText(value);
};

/**
 * Returns one event, or none for a system event. Its data and metadata are JSON values that can be written again: what
 * is no JSON, or none that JavaScript can hold, is a text instead. Whether they have a shape that somebody knows is for
 * the codec to say: nothing is skipped silently. Never throws.
 */
export const toStored = ({ event }: ResolvedEvent | AllStreamResolvedEvent): StoredEvent[] =>
  event === undefined || event.type.startsWith('$')
    ? []
    : [
        {
          id: event.id,
          type: event.type,
          data: jsonValue(event.data) as StoredEvent['data'],
          // The client does not write what is empty, such as null: in a copy it would be absent.
          metadata: (jsonValue(event.metadata) || undefined) as StoredMetadata,
          stream: event.streamId,
          revision: event.revision,
          position: event.position ?? { commit: 0n, prepare: 0n },
        },
      ];
