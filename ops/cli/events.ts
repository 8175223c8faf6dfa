/** `events …`: the log, read, replayed, copied and kept. */
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { Recorded } from '../../domain/core/decider.ts';
import { aggregates } from '../../domain/modules.ts';
import { splitStream } from '../../eventstore/codec.ts';
import { copyEvents, eventsOf } from '../../eventstore/copy.ts';
import { readHistory, shown, shownEvent, stateThen } from '../../eventstore/history.ts';
import { readPages } from '../../eventstore/pages.ts';
import { copyLog } from './copy.ts';
import { exportLines, importLines } from './logFile.ts';
import { jsonArray, say, writeJson, writeLine } from './output.ts';
import { type CliContext, CommandFailed, withStores } from './stores.ts';

interface Options {
  readonly json?: true;
}

const print = async (events: AsyncIterable<Recorded>, { json }: Options): Promise<void> => {
  const all = shownEvents(events);
  if (json) return jsonArray(all);
  for await (const { at, stream, revision, type, actor, data } of all)
    await writeLine(`${at}  ${stream}@${revision}  ${type}  ${actor.kind}:${actor.id}  ${JSON.stringify(data)}`);
};

async function* shownEvents(events: AsyncIterable<Recorded>) {
  for await (const event of events) yield shownEvent(event);
}

const PAGE = 500;

async function* streamEvents(cli: CliContext, stream: string, limit: number): AsyncGenerator<Recorded> {
  for (let from = 0; from < limit; from += PAGE) {
    const page = await readHistory(cli, stream, { from, max: Math.min(PAGE, limit - from) });
    if (from === 0 && page.length === 0) throw new CommandFailed(`there is no stream ${stream}`);
    yield* page;
    if (page.length < PAGE) return;
  }
}

interface Filters extends Options {
  readonly from?: number;
  readonly to?: number;
  readonly type?: string;
  readonly actor?: string;
  readonly correlation?: string;
  readonly newest?: true;
  readonly limit: number;
}

/** Reads through the log itself, so that it works also when nothing is projected. */
async function* foundEvents({ store, codec, signal }: CliContext, filters: Filters): AsyncGenerator<Recorded> {
  const { from = -Infinity, to = Infinity, type, actor, correlation, newest, limit } = filters;
  let found = 0;
  for await (const page of readPages(store, null, PAGE, newest ? 'backwards' : 'forwards')) {
    const wanted = page.events.filter(({ type: is, metadata }) => {
      const at = Date.parse(metadata.at);
      return (
        (type === undefined || is === type) &&
        (actor === undefined || metadata.actor.id === actor) &&
        (correlation === undefined || metadata.$correlationId === correlation) &&
        at >= from &&
        at <= to
      );
    });
    yield* await codec.decode(wanted.slice(0, limit - found));
    found += wanted.length;
    if (found >= limit || signal.aborted) return;
  }
}

const state = (stream: string, { json, ...moment }: Options & { at?: string; revision?: number }) =>
  withStores(async (cli) => {
    const aggregate = aggregates.find(({ category }) => category === splitStream(stream)[0]);
    const then = aggregate && (await stateThen(cli, aggregate, stream, moment));
    if (!then) throw new CommandFailed(`there is no stream ${stream}`);
    const result = { stream, ...then, state: shown(then.state) };
    if (json) return writeJson(result);
    await writeLine(`${stream} at revision ${result.revision ?? 'none'}, ${result.at ?? 'before anything happened'}`);
    await writeJson(result.state);
  });

const exportLog = ({ file, hash = false, json }: Options & { file?: string; hash?: boolean }) =>
  withStores(async ({ store, signal }) => {
    if (json && !file) throw new CommandFailed('--json tells of the export: give it a --file');
    let [count, last] = [0, ''];
    const until = (await store.head()) ?? undefined;
    const lines = async function* () {
      for await (const line of exportLines(eventsOf(store, until), hash)) {
        if (signal.aborted) throw new CommandFailed(`cut off after ${count} events`);
        count += 1;
        last = line.hash ?? '';
        yield `${line.line}\n`;
      }
    };
    if (file) await pipeline(lines, createWriteStream(file, { mode: 0o600 }));
    else await pipeline(lines, process.stdout, { end: false });
    if (json) return writeJson({ events: count, ...(hash && { hash: last }) });
    say(`${count} events${hash ? `, hash ${last}` : ''}`);
  });

const importLog = (file: string, { json }: Options) =>
  withStores(async ({ store, signal }) => {
    const imported = await copyEvents(importLines(file), store, { signal });
    if (signal.aborted)
      throw new CommandFailed(`cut off after ${imported} events; the same command goes on from there`);
    return json ? writeJson({ imported }) : writeLine(`${imported} events imported`);
  });

const instant = (text: string): number => {
  const at = Date.parse(text);
  if (Number.isNaN(at)) throw new InvalidArgumentError('not a time: 2026-11-20 or 2026-11-20T12:00:00Z');
  return at;
};
const instantText = (text: string): string => new Date(instant(text)).toISOString();
const count = (text: string): number => {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('not a number');
  return Number(text);
};
const asJson = ['--json', 'as JSON'] as const;

export const eventsCommand = new Command('events').description('The log: everything that ever happened');
eventsCommand
  .command('read')
  .description('events of one stream, personal data in plain')
  .argument('<stream>', '<category>-<id>')
  .option('--limit <n>', 'at most', count, Number.MAX_SAFE_INTEGER)
  .option(...asJson)
  .action((stream: string, { limit, ...options }: Options & { limit: number }) =>
    withStores((cli) => print(streamEvents(cli, stream, limit), options)),
  );
eventsCommand
  .command('all')
  .description('events of the whole log, oldest first')
  .option('--from <time>', 'not before', instant)
  .option('--to <time>', 'not after', instant)
  .option('--type <type>', 'of this type')
  .option('--actor <id>', 'done by')
  .option('--correlation <id>', 'that began with')
  .option('--newest', 'newest first')
  .option('--limit <n>', 'at most', count, 100)
  .option(...asJson)
  .action((filters: Filters) => withStores((cli) => print(foundEvents(cli, filters), filters)));
eventsCommand
  .command('state')
  .description('an aggregate as it was')
  .argument('<stream>', '<category>-<id>')
  .option('--at <time>', 'at this time', instantText)
  .option('--revision <n>', 'after this event', count)
  .option(...asJson)
  .action(state);
eventsCommand
  .command('copy')
  .description('the whole log to another server, raw and in order; goes on where an earlier one was cut off')
  .requiredOption('--to <connection string>', 'esdb://…')
  .addOption(new Option('--switch', 'with the system stopped: carry the checkpoints of this database over, too'))
  .option(...asJson)
  .action(copyLog);
eventsCommand
  .command('export')
  .description('the whole log as JSON lines, raw: personal data stays encrypted')
  .option('--file <path>', 'instead of standard output')
  .option('--hash', 'chain the lines by SHA-256, as proof that nothing was altered')
  .option(...asJson)
  .action(exportLog);
eventsCommand
  .command('import')
  .description('an export into the log: an empty one, or one that an import was cut off on')
  .argument('<file>')
  .option(...asJson)
  .action(importLog);
