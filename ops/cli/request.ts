/** `events request`: all that a request of a customer has led to. */
import { withData } from '../../api/audit/audit.ts';
import { jobsOfRequest } from '../../commands/core/jobsOfRequest.ts';
import { jobs } from '../../commands/modules.ts';
import { eventsOfRequest } from '../../projections/audit/auditEvents.ts';
import { changesOfEvents } from '../../projections/engine/changesOfEvents.ts';
import { readDb } from '../../projections/engine/readDb.ts';
import { eventLine } from './eventLine.ts';
import { table, writeJson, writeLine } from './output.ts';
import { asked, revealing } from './reason.ts';
import { type CliContext, CommandFailed, withStores } from './stores.ts';

interface Options {
  readonly json?: true;
  readonly reason?: string;
}

/** What clients may send as a request's id. */
const ID = /^[\w-]{8,64}$/;

const found = async (cli: CliContext, requestId: string, { reason }: Options) => {
  const rows = await eventsOfRequest(readDb(cli.pool), requestId);
  const concealed = await withData(cli, rows);
  const correlations = [...new Set([requestId, ...rows.map(({ correlation_id }) => correlation_id)])];
  const read = { what: 'events', query: asked({ correlation: requestId }), ...(reason && { reason }) } as const;
  return {
    jobs: await jobsOfRequest(cli.pool, jobs, correlations),
    changes: await changesOfEvents(cli.pool, concealed.hidden),
    events: await revealing(cli, read)(concealed),
  };
};

export const showRequest = (requestId: string, options: Options) =>
  withStores(async (cli) => {
    if (!ID.test(requestId)) throw new CommandFailed(`${requestId} is no id of a request: see x-request-id`);
    const { events, jobs: led, changes } = await found(cli, requestId, options);
    if (options.json) return writeJson({ events, jobs: led, changes });
    if (events.length + led.length === 0)
      throw new CommandFailed(
        'nothing was recorded under this id: the request has changed nothing, or was refused. Its line in the log says so',
      );
    await writeLine(`events\n${events.map(eventLine).join('\n')}\n`);
    await writeLine(`jobs\n${table(led.map((row) => ({ ...row })))}\n`);
    await writeLine(`streamed changes, kept for a day\n${table(changes.map((row) => ({ ...row })))}`);
  });
