/** `voice check`: whether the voice server of the settings can be used, step by step. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Command } from 'commander';
import { livekitOf, voiceWebhookUrl } from '../../commands/voice/connect.ts';
import { asked, livekitClients, roomOf, trialOf } from '../../commands/voice/livekit.ts';
import { agreeOnTime, letIn, whatIsWrong } from '../../commands/voice/livekitTrial.ts';
import { forgetReports, hasReported } from '../../commands/voice/unknownReports.ts';
import { VoiceServerError } from '../../commands/voice/voiceServer.ts';
import type { Pool } from '../../infra/postgres.ts';
import { tryFileStore } from '../checks/folders.ts';
import { writeJson, writeLine } from './output.ts';
import { type CliContext, CommandFailed, withStores } from './stores.ts';

const REPORT_MS = 20_000;
const BETWEEN_MS = 250;

/** The API keeps what is reported of rooms that it does not know: this one. */
const reported = async (pool: Pool, room: string, webhookUrl: string): Promise<void> => {
  const deadline = Date.now() + REPORT_MS;
  while (!(await hasReported(pool, room))) {
    if (Date.now() > deadline)
      throw new CommandFailed(
        `nothing arrived in ${REPORT_MS / 1_000} s: set webhook.urls to ${webhookUrl} and webhook.api_key to LIVEKIT_API_KEY, and have the API run`,
      );
    await delay(BETWEEN_MS);
  }
  await forgetReports(pool, room);
};

const adviceOf = (error: unknown): string => (error instanceof CommandFailed ? error.message : whatIsWrong(error));

/** LiveKit answers 500 here when it has no Redis, which Egress needs. */
const canRecord = async (egress: ReturnType<typeof livekitClients>['egress'], room: string): Promise<void> => {
  try {
    await asked(() => egress.listEgress({ roomName: room }));
  } catch (error) {
    if (!(error instanceof VoiceServerError && error.kind === 'refused')) throw error;
    throw new CommandFailed(
      `${whatIsWrong(error)}. Set up Redis and Egress for LiveKit; where nothing is to be recorded, check --without-recordings`,
    );
  }
};

interface Step {
  readonly step: string;
  readonly ok: boolean;
  /** What is wrong, and what to do. */
  readonly detail?: string;
}

type Steps = readonly (readonly [step: string, run: () => Promise<unknown>])[];

/** Takes the steps one after the other, up to the first that fails. */
const taken = async (steps: Steps): Promise<Step[]> => {
  const done: Step[] = [];
  for (const [step, run] of steps)
    try {
      await run();
      done.push({ step, ok: true });
    } catch (error) {
      return [...done, { step, ok: false, detail: adviceOf(error) }];
    }
  return done;
};

const check = ({ json, withoutRecordings }: { readonly json?: true; readonly withoutRecordings?: true }) =>
  withStores(async ({ config, pool, fileStore }: CliContext) => {
    const settings = livekitOf(config);
    if (!settings) throw new CommandFailed('LIVEKIT_URL is not set: there are no voice rooms.');
    const { rooms, egress } = livekitClients(settings);
    const trial = trialOf(randomUUID());
    const room = roomOf(trial);
    const bucket = config.S3_BUCKET ?? 'the folder of files, which Egress must write into, too';
    const ofRecordings: Steps = [
      ['it can record', () => canRecord(egress, room)],
      [`files can be stored in ${bucket}`, () => tryFileStore(fileStore)],
    ];
    const done = await taken([
      [`${settings.url} answers and accepts the key`, () => asked(() => rooms.listRooms())],
      ['its clock agrees with the one here', () => agreeOnTime(settings)],
      ['it opens a room', () => asked(() => rooms.createRoom({ name: room, emptyTimeout: 30 }))],
      ['it accepts our tokens', () => letIn(settings, trial)],
      ['it ends the room', () => asked(() => rooms.deleteRoom(room))],
      ['its reports arrive here', () => reported(pool, room, voiceWebhookUrl(config))],
      ...(withoutRecordings ? [] : ofRecordings),
    ]);
    if (done.some(({ ok }) => !ok)) process.exitCode = 1;
    if (json) return writeJson(done);
    for (const { step, ok, detail } of done)
      await writeLine(`${ok ? 'ok    ' : 'failed'}  ${step}${detail === undefined ? '' : `: ${detail}`}`);
  });

export const voiceCommand = new Command('voice')
  .description('The voice server of topics')
  .addCommand(
    new Command('check')
      .description('Prove the set-up of the voice server: key, rooms, tokens, reports, recordings, files')
      .option('--without-recordings', 'nothing is recorded: Redis, Egress and its storage are not needed')
      .option('--json', 'print JSON')
      .action(check),
  );
