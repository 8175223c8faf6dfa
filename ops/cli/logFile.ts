/** The log as a file: one JSON line per event, as it is stored, optionally with a chain of hashes. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Position } from '../../domain/core/decider.ts';
import { formatPosition, parsePosition } from '../../eventstore/checkpoints.ts';
import type { StoredEvent } from '../../eventstore/client/index.ts';
import { inOurFormat } from '../../eventstore/format.ts';
import { CommandFailed } from './failed.ts';

const lineOf = ({ id, stream, revision, type, data, metadata }: StoredEvent) => ({
  stream,
  revision: Number(revision),
  id,
  type,
  data,
  metadata,
});

/** The lines of some consecutive events, of which the last has this hash and this position. */
export interface ExportedPage {
  readonly lines: readonly string[];
  /** Undefined without a chain. */
  readonly hash: string | undefined;
  readonly position: Position | undefined;
}

/**
 * Each line's `hash` is the SHA-256 of the hash before it and of the event, without its position: an earlier hash
 * proves later, also for a copy, that no event up to there was altered, removed or added.
 */
export async function* exportPages(
  pages: AsyncIterable<readonly StoredEvent[]>,
  chained: boolean,
): AsyncGenerator<ExportedPage> {
  let hash = '';
  for await (const events of pages) {
    const lines = events.map((event) => {
      const line = JSON.stringify(lineOf(event));
      if (chained) hash = createHash('sha256').update(hash).update(line).digest('hex');
      const end = chained ? `,"hash":"${hash}"}` : '}';
      return `{"position":"${formatPosition(event.position)}",${line.slice(1, -1)}${end}`;
    });
    yield { lines, hash: chained ? hash : undefined, position: events.at(-1)?.position };
  }
}

/** A file's text; `.gz` is decompressed. */
export const openText = (file: string): Readable => {
  const stored = createReadStream(file);
  // The reader of the stream gets the error.
  return file.endsWith('.gz') ? pipeline(stored, createGunzip(), () => undefined) : stored;
};

/**
 * Reads an exported file, which may be compressed (`.gz`).
 * @throws CommandFailed for a line that is not an exported event, or whose hash is wrong
 * @throws IncompatibleData for a log that this release cannot read
 */
export const importLines = (file: string): AsyncGenerator<StoredEvent> => inOurFormat(eventsIn(file));

async function* eventsIn(file: string): AsyncGenerator<StoredEvent> {
  let [count, hash] = [0, ''];
  for await (const text of createInterface({ input: openText(file), crlfDelay: Infinity })) {
    count += 1;
    const { hash: recorded, position, revision, ...rest } = parseLine(text, count);
    const event = {
      ...rest,
      revision: BigInt(revision),
      position: parsePosition(position) ?? { commit: 0n, prepare: 0n },
    };
    if (recorded !== undefined) {
      hash = createHash('sha256')
        .update(hash)
        .update(JSON.stringify(lineOf(event)))
        .digest('hex');
      if (hash !== recorded)
        throw new CommandFailed(`line ${count} or one before it was altered: the hash does not match`);
    }
    yield event;
  }
}

type Line = Omit<StoredEvent, 'revision' | 'position'> & { revision: number; position: string; hash?: string };

const parseLine = (text: string, count: number): Line => {
  try {
    const line = JSON.parse(text) as Line;
    if (typeof line.stream === 'string' && typeof line.id === 'string' && Number.isInteger(line.revision)) return line;
  } catch (error) {
    throw new CommandFailed(`line ${count} is not JSON`, { cause: error });
  }
  throw new CommandFailed(`line ${count} is not an event`);
};
