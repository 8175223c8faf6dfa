/** Recordings of voice rooms. */
import { type Static, Type } from '@sinclair/typebox';
import type { CommandContext } from '../../commands/core/handle.ts';
import { recordingKey } from '../../commands/voice/livekit.ts';
import { removeRecording } from '../../commands/voice/recordingRemovals.ts';
import { startRecording, stopRecording } from '../../commands/voice/recordings.ts';
import { notFound } from '../../domain/core/decider.ts';
import { DAY_MS, msBetween } from '../../domain/core/instants.ts';
import { Nullable, ReasonText, textOrNull } from '../../domain/core/schema.ts';
import { checkLink, signedLink } from '../../infra/signedLinks.ts';
import { topicChannel } from '../../projections/forums/channels.ts';
import { forumTopics, type TopicRow, topicById } from '../../projections/forums/topics.ts';
import { hasOpenReport } from '../../projections/reports/reports.ts';
import {
  listRecordings,
  type RecordingRow,
  RecordingWire,
  recordingById,
  voiceRecordings,
  wireOf,
} from '../../projections/voice/recordings.ts';
import { voiceRooms } from '../../projections/voice/rooms.ts';
import { readableTopic, writerOf } from '../forums/access.ts';
import type { App } from '../http/app.ts';
import { Bytes, byLink } from '../http/bytes.ts';
import type { User } from '../http/caller.ts';
import { HttpError } from '../http/errors.ts';
import { ListOf, paged, pagingQuery } from '../http/paging.ts';
import { ById, NO_CONTENT, route } from '../http/route.ts';
import { shownAfter } from '../http/shownAfter.ts';

export const Recording = Type.Object(
  {
    ...RecordingWire.properties,
    recording_url: Nullable(Type.String({ description: 'Plays it, for two to three days. null: there is no file.' })),
    removal_reason: Nullable(
      Type.String({ description: 'Why somebody else has removed it: for who has started it, and admins.' }),
    ),
  },
  { $id: 'VoiceRecording' },
);

const isExpired = ({ ended_at }: RecordingRow, { settings }: App, at: string): boolean =>
  ended_at !== null && msBetween(ended_at, at) > settings.voiceRecordingDays * DAY_MS;

const subjectOf = (id: string): string => `voice recording ${id}`;
/** Of a link that also works once the recording was removed, and where its topic is not open: only admins are shown it. */
const keptSubjectOf = (id: string): string => `kept voice recording ${id}`;
const pathOf = (id: string): string => `/api/v1/forums/voice/recordings/${id}`;

/** What reports call a recording. */
export const RECORDING = 'voice_recording';

const OPEN = { status: 'open' } as const;

/**
 * As people see it: from the end of its time on it is `expired`, also before its file is deleted. Nobody plays one of a topic
 * that is not open.
 */
export const shown = (
  app: App,
  row: RecordingRow,
  topic: Pick<TopicRow, 'status'>,
  at: string,
): Static<typeof Recording> => {
  const hasFile = row.status === 'ended';
  const wire = { ...wireOf(row), recording_url: null, removal_reason: null };
  if (hasFile && isExpired(row, app, at)) return { ...wire, status: 'expired' };
  if (topic.status !== 'open') return wire;
  return { ...wire, recording_url: hasFile ? signedLink(pathOf(row.id), subjectOf(row.id), at) : null };
};

/** As who has started it sees it: with the reason of its removal. */
const shownTo = (app: App, caller: User, row: RecordingRow, topic: Pick<TopicRow, 'status'>, at: string) => ({
  ...shown(app, row, topic, at),
  removal_reason: row.requested_by === caller.id ? textOrNull(row.removal_reason) : null,
});

/** As those who judge see it. */
export const shownToJudge = (app: App, row: RecordingRow, at: string): Static<typeof Recording> => {
  const hasFile = row.is_kept || (row.status === 'ended' && !isExpired(row, app, at));
  const url = hasFile ? signedLink(pathOf(row.id), keptSubjectOf(row.id), at) : null;
  return { ...wireOf(row), recording_url: url, removal_reason: textOrNull(row.removal_reason) };
};

const changing = {
  access: 'user',
  harm: { of: 'content', by: 'admin' },
  rate: 'call',
  params: ById,
  status: 202,
  reply: Recording,
  errors: ['not_found', 'forbidden', 'conflict', 'voice_unavailable'],
  projections: [voiceRecordings, voiceRooms],
} as const;

/** Runs a command, and shows its recording once the read models have it. @throws HttpError 503 until it can be shown */
const shownRecording = async (app: App, context: CommandContext, command: (own: CommandContext) => Promise<string>) => {
  const id = await shownAfter(app, context, changing.projections, command);
  const row = await recordingById(app.db, id);
  if (!row) throw new HttpError('unavailable', 'This recording cannot be shown yet. Read the recordings of the topic.');
  return shown(app, row, OPEN, context.at);
};

const start = route('POST /api/v1/forums/:id/voice/recording/start', {
  ...changing,
  id: 'startVoiceRecording',
  summary: 'Record the voice room of a topic',
  description:
    'For who has opened the room, the author of the topic and admins, while they are in the room (403); an empty room is 409. One recording at a time: 409 has the `recording_id` of the one that runs. It is `starting` until something is recorded, some seconds later, and `failed` if that does not happen within 2 minutes. Everybody on the channel of the topic is told, and so is everybody in the room.',
  handle: async ({ params, caller, context }, app) =>
    shownRecording(app, context, (own) => startRecording(app, own, params.id, writerOf(caller))),
});

const stop = route('POST /api/v1/forums/:id/voice/recording/stop', {
  ...changing,
  id: 'stopVoiceRecording',
  summary: 'Stop recording the voice room of a topic',
  description:
    'The file follows: the recording is then `ended`. Safe to repeat: once it is over, the reply is the last recording.',
  handle: async ({ params, caller, context }, app) =>
    shownRecording(app, context, (own) => stopRecording(app, own, params.id, writerOf(caller))),
});

const list = route('GET /api/v1/forums/:id/voice/recordings', {
  id: 'listVoiceRecordings',
  access: 'user',
  summary: 'List the recordings of a topic',
  description: 'The newest first.',
  params: ById,
  query: Type.Object(pagingQuery),
  reply: ListOf(Recording),
  reads: [voiceRecordings],
  errors: ['not_found'],
  channel: { of: topicChannel, id: ({ params }) => params.id },
  handle: async ({ params: { id }, query, caller, context }, app) => {
    const topic = await readableTopic(app, caller, id);
    return paged(
      query,
      (paging) => listRecordings(app.db, id, paging),
      (row) => shownTo(app, caller, row, topic, context.at),
    );
  },
});

const play = route('GET /api/v1/forums/voice/recordings/:id', {
  ...byLink,
  id: 'playVoiceRecording',
  summary: 'Play a recording',
  description: 'Use the `recording_url` of the recording. It works while the topic is open.',
  reads: [voiceRecordings, forumTopics],
  handle: async ({ params: { id }, query, context }, app) => {
    const judging = checkLink(keptSubjectOf(id), query, context.at);
    const isJudging = judging !== 'forged';
    const state = isJudging ? judging : checkLink(subjectOf(id), query, context.at);
    const row = state === 'forged' ? undefined : await recordingById(app.db, id);
    const isThere = row?.status === 'ended' || (isJudging && row?.is_kept);
    if (!row || !isThere) throw notFound('recording');
    if (!isJudging && (await topicById(app.db, row.topic_id))?.status !== 'open') throw notFound('recording');
    if (state === 'expired' || isExpired(row, app, context.at))
      throw new HttpError('link_expired', 'This link has expired. Read the recordings of the topic for a new one.');
    return new Bytes({
      type: 'audio/ogg',
      size: row.size_bytes ?? 0,
      etag: `"${id}"`,
      cache: 'private',
      disposition: 'inline',
      open: (range) => app.fileStore.get(recordingKey(id), range),
    });
  },
});

const remove = route('DELETE /api/v1/forums/voice/recordings/:id', {
  id: 'removeVoiceRecording',
  access: 'user',
  harm: { of: 'content', by: 'admin' },
  summary: 'Remove a recording',
  description:
    'For who has started it, the author of the topic and admins. It cannot be played any more, its file is deleted, and it stays in the list as `removed`. One that runs is stopped. Whoever has not started it gives a `reason` for the person, who is told and can appeal; the file of one that had ended is kept for that time, and so is that of one that is reported.',
  params: ById,
  body: Type.Optional(Type.Object({ reason: Type.Optional(ReasonText) })),
  ...NO_CONTENT,
  errors: ['not_found', 'forbidden', 'invalid', 'conflict'],
  projections: [voiceRecordings, voiceRooms],
  handle: async ({ params: { id }, body, caller, context }, app) => {
    const isReported = await hasOpenReport(app.db, { kind: RECORDING, id });
    await removeRecording(app, context, id, writerOf(caller), { isReported, reason: body?.reason });
    return null;
  },
});

export const recordingRoutes = [start, stop, list, play, remove];
