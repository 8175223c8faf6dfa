/**
 * Writes what a server with statistics and system projections writes between the events of others: `$statsCollected`,
 * and for each event a link in `$ce-<category>` and `$et-<type>`.
 */
import { randomUUID } from 'node:crypto';
import type { Log } from './log.ts';
import { LINK_EVENT } from './metadata.ts';
import { StoredRecord } from './record.ts';
import type { ProposedEvent } from './requests.ts';
import type { Writer } from './writer.ts';

const PAGE = 256;
const NOTHING = new Uint8Array();

const proposed = (type: string, data: string): ProposedEvent => ({
  id: randomUUID(),
  type,
  isJson: type !== LINK_EVENT,
  data: Buffer.from(data),
  metadata: NOTHING,
});

/** Starts behind the log as it is now. Returns the function that ends it. */
export const writeSystemEvents = (log: Log, writer: Writer): (() => Promise<void>) => {
  let next = log.end;
  let running: Promise<void> | undefined;
  let stopped = false;

  const append = async (stream: string, events: readonly ProposedEvent[]): Promise<void> => {
    await writer.submit({ kind: 'append', stream, expected: 'any', events, size: 0, deadline: Infinity });
  };

  const writeAbout = async (records: readonly StoredRecord[]): Promise<void> => {
    const links = new Map<string, ProposedEvent[]>();
    for (const { stream, revision, type } of records) {
      const [category = stream] = stream.split('-', 1);
      for (const target of [`$ce-${category}`, `$et-${type}`]) {
        const inTarget = links.get(target) ?? [];
        links.set(target, [...inTarget, proposed(LINK_EVENT, `${revision}@${stream}`)]);
      }
    }
    await Promise.all([...links].map(([stream, events]) => append(stream, events)));
    await append('$stats-127.0.0.1:2113', [proposed('$statsCollected', '{"proc-cpu":1}')]);
  };

  const run = async (): Promise<void> => {
    while (!stopped && next < log.end) {
      const { records } = log.allForwards(next, PAGE);
      const last = records.at(-1);
      if (!last) break;
      next = last.position + 1;
      const others = records
        .map(({ bytes }) => new StoredRecord(bytes))
        .filter(({ stream }) => !stream.startsWith('$'));
      if (others.length > 0) await writeAbout(others);
    }
    running = undefined;
  };

  const stopListening = log.onCommit(() => {
    running ??= run();
  });
  return async () => {
    stopped = true;
    stopListening();
    await running;
  };
};
