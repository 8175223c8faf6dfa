/** `events …`: reads, replays, copies, exports and imports the log. */
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { Command, InvalidArgumentError, Option } from 'commander';
import { stateThen } from '../../commands/audit/stateThen.ts';
import { type Recorded, splitStream } from '../../domain/core/decider.ts';
import { instantOf } from '../../domain/core/instants.ts';
import { aggregates, allEvents } from '../../domain/modules.ts';
import { concealedEvents, concealedState } from '../../eventstore/concealed.ts';
import { copyEvents } from '../../eventstore/copy.ts';
import { decodeToShow, readHistory, type ShownEvent } from '../../eventstore/history.ts';
import { knownMetadata } from '../../eventstore/metadata.ts';
import { pagesOf, readPages } from '../../eventstore/pages.ts';
import { adoptLog, copyLog, unsealLog } from './copy.ts';
import { eventLine } from './eventLine.ts';
import { exportPages, importLines } from './logFile.ts';
import { jsonArray, say, writeJson, writeLine } from './output.ts';
import { asked, revealing, withReason } from './reason.ts';
import { showRequest } from './request.ts';
import { type CliContext, CommandFailed, withStores } from './stores.ts';

interface Options {
  readonly json?: true;
}
interface WithReason {
  readonly reason?: string;
}

const print = async (all: AsyncIterable<ShownEvent>, { json }: Options): Promise<void> => {
  if (json) return jsonArray(all);
  for await (const event of all) await writeLine(eventLine(event));
};

/** The events of each page, once it is recorded whose personal data they have. */
async function* shownEvents(
  { codec }: CliContext,
  reveal: ReturnType<typeof revealing>,
  pages: AsyncIterable<readonly Recorded[]>,
): AsyncGenerator<ShownEvent> {
  for await (const page of pages) yield* await reveal(concealedEvents(codec, page));
}

const PAGE = 500;

async function* streamEvents(cli: CliContext, stream: string, limit: number): AsyncGenerator<readonly Recorded[]> {
  for (let from = 0; from < limit; from += PAGE) {
    const max = Math.min(PAGE, limit - from);
    const page = await readHistory(cli, stream, { from, max });
    if (from === 0 && page.length === 0) throw new CommandFailed(`there is no stream ${stream}`);
    yield page;
    if (page.length < max) return;
  }
  say(`stopped after ${limit} events: --limit shows more`);
}

interface Filters extends Options, WithReason {
  readonly from?: number;
  readonly to?: number;
  readonly type?: string;
  readonly actor?: string;
  readonly correlation?: string;
  readonly newest?: true;
  readonly limit: number;
}

/** Searches the log itself, so that it works without read models. */
async function* foundEvents(
  { store, codec, signal }: CliContext,
  filters: Filters,
): AsyncGenerator<readonly Recorded[]> {
  const { from = -Infinity, to = Infinity, type, actor, correlation, newest, limit } = filters;
  let found = 0;
  for await (const page of readPages(store, null, PAGE, newest ? 'backwards' : 'forwards')) {
    const matching = page.events.filter((event) => {
      const { type: is } = event;
      const about = knownMetadata(event);
      const at = Date.parse(about.at ?? '');
      return (
        (type === undefined || is === type) &&
        (actor === undefined || about.actor?.id === actor) &&
        (correlation === undefined || about.$correlationId === correlation) &&
        !(at < from || at > to)
      );
    });
    yield await decodeToShow(codec, matching.slice(0, limit - found));
    found += matching.length;
    if (found >= limit) return say(`stopped after ${limit} events: --limit shows more`);
    if (signal.aborted) return;
  }
  if (found === 0) say('no event of the log is like that');
}

const state = (
  stream: string,
  { json, reason, ...moment }: Options & WithReason & { at?: string; revision?: number },
) =>
  withStores(async (cli) => {
    const aggregate = aggregates.find(({ category }) => category === splitStream(stream)[0]);
    const then = aggregate && (await stateThen(cli, aggregate, stream, moment));
    if (!then) throw new CommandFailed(`there is no stream ${stream}`);
    const read = { what: 'state', query: asked({ stream, ...moment }), ...(reason && { reason }) } as const;
    const { revision, at } = then;
    const result = { stream, revision, at, state: await revealing(cli, read)(concealedState(then)) };
    if (json) return writeJson(result);
    await writeLine(`${stream} at revision ${result.revision ?? 'none'}, ${result.at ?? 'before anything happened'}`);
    await writeJson(result.state);
  });

const exportLog = ({ file, hash = false, json }: Options & { file?: string; hash?: boolean }) =>
  withStores(async ({ store, signal }) => {
    if (json && !file) throw new CommandFailed('--json prints a summary of the export: it needs --file');
    let [count, last] = [0, ''];
    const until = (await store.head()) ?? undefined;
    const pages = async function* () {
      for await (const { lines, hash: latest } of exportPages(pagesOf(store, until), hash)) {
        if (signal.aborted) throw new CommandFailed(`interrupted after ${count} events`);
        count += lines.length;
        last = latest ?? '';
        if (lines.length > 0) yield `${lines.join('\n')}\n`;
      }
    };
    if (file) await pipeline(pages, createWriteStream(file, { mode: 0o600 }));
    else await pipeline(pages, process.stdout, { end: false });
    if (json) return writeJson({ events: count, ...(hash && { hash: last }) });
    say(`${count} events${hash ? `, hash ${last}` : ''}`);
  });

const importLog = (file: string, { json }: Options) =>
  withStores(async ({ store, signal }) => {
    const imported = await copyEvents(importLines(file), store, { signal });
    if (signal.aborted)
      throw new CommandFailed(`interrupted after ${imported} events: run the same command again to continue`);
    return json ? writeJson({ imported }) : writeLine(`${imported} events imported`);
  });

const readStream = (stream: string, { limit, ...options }: Options & WithReason & { limit: number }) =>
  withStores((cli) => {
    const { reason } = options;
    const read = { what: 'stream', query: asked({ stream, limit }), ...(reason && { reason }) } as const;
    return print(shownEvents(cli, revealing(cli, read), streamEvents(cli, stream, limit)), options);
  });

const search = (filters: Filters) =>
  withStores((cli) => {
    const { reason } = filters;
    const read = { what: 'events', query: asked(filters), ...(reason && { reason }) } as const;
    return print(shownEvents(cli, revealing(cli, read), foundEvents(cli, filters)), filters);
  });

/** Those that share the longest beginning with a name that does not exist. */
const alikeTo = (text: string): readonly string[] => {
  const found = Object.keys(allEvents).filter((type) => type.startsWith(text));
  return found.length > 0 || text.length < 2 ? found : alikeTo(text.slice(0, -1));
};
const eventType = (text: string): string => {
  if (text in allEvents) return text;
  const alike = alikeTo(text);
  throw new InvalidArgumentError(
    `no such type of event${alike.length > 0 ? `; these begin alike: ${alike.join(', ')}` : ''}`,
  );
};
const instant = (text: string): number => {
  const at = Date.parse(text);
  if (Number.isNaN(at)) throw new InvalidArgumentError('not a time: write 2026-11-20 or 2026-11-20T12:00:00Z');
  return at;
};
const instantText = (text: string): string => instantOf(instant(text));
const count = (text: string): number => {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('not a number');
  return Number(text);
};
const asJson = ['--json', 'print JSON'] as const;

export const eventsCommand = new Command('events').description('Read, copy, export and import the event log');
eventsCommand
  .command('read')
  .description('Print the events of one stream; with a reason, personal data is decrypted')
  .argument('<stream>', '<category>-<id>')
  .option('--limit <n>', 'print at most this many events', count, Number.MAX_SAFE_INTEGER)
  .option(...withReason)
  .option(...asJson)
  .action(readStream);
eventsCommand
  .command('all')
  .description('Print the events of the whole log, oldest first')
  .option('--from <time>', 'no earlier than this time', instant)
  .option('--to <time>', 'no later than this time', instant)
  .option('--type <type>', 'only events of this type', eventType)
  .option('--actor <id>', 'only events by this actor')
  .option('--correlation <id>', 'only events with this correlation id')
  .option('--newest', 'newest first')
  .option('--limit <n>', 'print at most this many events', count, 100)
  .option(...withReason)
  .option(...asJson)
  .action(search);
eventsCommand
  .command('request')
  .description(
    'Print what a request has led to: its events, its jobs with their outcome, and the changes that were streamed',
  )
  .argument('<request id>', 'what the customer has: the header x-request-id, or request_id of an error')
  .option(...withReason)
  .option(...asJson)
  .action(showRequest);
eventsCommand
  .command('state')
  .description('Print the state of an aggregate, now or in the past')
  .argument('<stream>', '<category>-<id>')
  .option('--at <time>', 'the state at this time', instantText)
  .option('--revision <n>', 'the state after this revision', count)
  .option(...withReason)
  .option(...asJson)
  .action(state);
eventsCommand
  .command('copy')
  .description('Copy the whole log to another server, raw and in order; resume an interrupted copy')
  .requiredOption('--to <connection string>', 'esdb://…')
  .addOption(
    new Option('--switch', 'with the system stopped: carry the checkpoints of this database over, and seal this log'),
  )
  .option(...asJson)
  .action(copyLog);
eventsCommand
  .command('unseal')
  .description('With the system stopped: open a log again that `copy --switch` has sealed')
  .action(unsealLog);
eventsCommand
  .command('adopt')
  .description('Have an empty database begin anew with a log that has events; the system is stopped')
  .action(adoptLog);
eventsCommand
  .command('export')
  .description('Export the whole log as JSON lines; personal data stays encrypted')
  .option('--file <path>', 'write to this file instead of standard output')
  .option('--hash', 'chain the lines by SHA-256, so that a later export shows whether lines were altered')
  .option(...asJson)
  .action(exportLog);
eventsCommand
  .command('import')
  .description('Import an export into an empty log; resume an interrupted import')
  .argument('<file>')
  .option(...asJson)
  .action(importLog);
