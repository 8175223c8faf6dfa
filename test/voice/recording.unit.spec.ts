/** What is decided about voice rooms and their recordings. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Egress, isOver, type VoiceRecordingEvent, voiceRecording } from '../../domain/voice/recording.ts';
import { type VoiceRoomEvent, voiceRoom } from '../../domain/voice/room.ts';
import { id } from '../bookings/bookingFixtures.ts';
import { specification } from '../kit/given.ts';

const [TOPIC, ANNA, BORIS, RECORDING, OTHER] = [id(1), id(2), id(3), id(4), id(5)] as const;
const given = specification(voiceRecording);
const requested: VoiceRecordingEvent = {
  type: 'VoiceRecordingRequested',
  data: { topicId: TOPIC, requestedBy: ANNA },
};
const started: VoiceRecordingEvent = { type: 'VoiceRecordingStarted', data: { topicId: TOPIC, egressId: 'EG_1' } };
const ended: VoiceRecordingEvent = {
  type: 'VoiceRecordingEnded',
  data: { topicId: TOPIC, location: 's3://voice/1.ogg', durationS: 61, sizeBytes: 4_096 },
};
const failed = (reason: 'empty' | 'server_failed' | 'lost'): VoiceRecordingEvent => ({
  type: 'VoiceRecordingFailed',
  data: { topicId: TOPIC, reason },
});
const accepted: VoiceRecordingEvent = { type: 'VoiceRecordingAccepted', data: { topicId: TOPIC, egressId: 'EG_1' } };
const starting: Egress = {
  ...({ egressId: 'EG_1', phase: 'starting', startedAt: null } as const),
  ...{ location: null, durationS: 0, sizeBytes: 0 },
};
const running: Egress = { ...starting, phase: 'recording' };
const complete: Egress = {
  ...running,
  phase: 'complete',
  location: 's3://voice/1.ogg',
  durationS: 61,
  sizeBytes: 4_096,
};
const report = (egress: Egress) => ({ type: 'ApplyEgress', egress }) as const;

describe('a recording', () => {
  it('is requested, started and ended by what the voice server says', () => {
    given([]).when({ type: 'RequestRecording', topicId: TOPIC, requestedBy: ANNA }).thenOnce([requested]);
    given([requested]).when(report(running)).thenOnce([started]);
    given([requested, started]).when(report(complete)).thenOnce([ended]);
    given([requested]).when(report(complete)).thenOnce([started, ended]);
    given([]).when(report(running)).then('not_found');
  });

  it('has begun when something is recorded, not when it was accepted', () => {
    const startedAt = '2026-01-10T10:00:08.000Z';
    const begun: VoiceRecordingEvent = {
      type: 'VoiceRecordingStarted',
      data: { topicId: TOPIC, egressId: 'EG_1', startedAt },
    };
    given([requested]).when(report(starting)).thenOnce([accepted]);
    given([requested, accepted])
      .when(report({ ...running, startedAt }))
      .thenOnce([begun]);
    given([requested, accepted])
      .when(report({ ...starting, phase: 'ending' }))
      .then([]);
    given([requested, accepted])
      .when(report({ ...starting, phase: 'cut_off' }))
      .then([failed('empty')]);
    given([requested])
      .when(report({ ...starting, phase: 'failed' }))
      .thenOnce([accepted, failed('server_failed')]);
    given([requested, accepted]).when(report(complete)).thenOnce([started, ended]);
  });

  it('says when it has failed or is empty', () => {
    const begun = [requested, started];
    given(begun)
      .when(report({ ...running, phase: 'failed' }))
      .then([failed('server_failed')]);
    given(begun)
      .when(report({ ...running, phase: 'cut_off' }))
      .then([failed('empty')]);
    given(begun)
      .when(report({ ...complete, durationS: 0 }))
      .then([failed('empty')]);
    given(begun)
      .when(report({ ...complete, location: null }))
      .then([failed('empty')]);
    given(begun)
      .when({ type: 'GiveUp', reason: 'lost' })
      .then([failed('lost')]);
    given([...begun, ended])
      .when({ type: 'GiveUp', reason: 'lost' })
      .then([]);
  });

  it('is stopped once', () => {
    given([requested, started])
      .when({ type: 'StopRecording', by: BORIS })
      .thenOnce([{ type: 'VoiceRecordingStopRequested', data: { topicId: TOPIC, stoppedBy: BORIS } }]);
    given([requested, started, ended]).when({ type: 'StopRecording', by: BORIS }).then([]);
  });

  it('is removed once, also while it runs, and what comes later changes nothing', () => {
    const removed: VoiceRecordingEvent = { type: 'VoiceRecordingRemoved', data: { topicId: TOPIC, reason: 'expired' } };
    const remove = { type: 'RemoveRecording', reason: 'expired' } as const;
    given([requested, started, ended]).when(remove).thenOnce([removed]);
    given([requested, started]).when(remove).thenOnce([removed]);
    given([requested, started, failed('empty')])
      .when(remove)
      .then([]);
    given([requested, started, removed]).when(report(complete)).then([]);
    given([]).when(remove).then('not_found');
  });

  it('is hidden by others with a reason, comes back, and is gone for good where there is no file', () => {
    const hide = (reason: string | null) => ({ type: 'HideRecording', by: BORIS, reason }) as const;
    const about = { topicId: TOPIC, requestedBy: ANNA, by: BORIS };
    const hidden = (reason: string | null): VoiceRecordingEvent => ({
      type: 'VoiceRecordingHidden',
      data: { ...about, reason },
    });
    const removed: VoiceRecordingEvent = {
      type: 'VoiceRecordingRemoved',
      data: { topicId: TOPIC, reason: 'by_request' },
    };
    const whole = [requested, started, ended];
    given(whole)
      .when(hide('Rude'))
      .thenOnce([hidden('Rude')]);
    given([...whole, hidden('Rude')])
      .when(hide('Other words'))
      .then('conflict');
    // By who has started it, while it is reported; then an admin decides.
    given(whole)
      .when(hide(null))
      .thenOnce([hidden(null)]);
    given([...whole, hidden(null)])
      .when(hide('Rude'))
      .thenOnce([hidden('Rude')]);
    given([requested, started])
      .when(hide('Rude'))
      .thenOnce([hidden('Rude'), removed]);
    given([requested, started]).when(hide(null)).thenOnce([removed]);
    const restored: VoiceRecordingEvent = { type: 'VoiceRecordingRestored', data: { topicId: TOPIC } };
    given([...whole, hidden('Rude')])
      .when({ type: 'RestoreRecording' })
      .thenOnce([restored]);
    given([...whole, hidden('Rude'), removed])
      .when({ type: 'RestoreRecording' })
      .then([]);
    given([...whole, hidden('Rude'), restored])
      .when(hide('Rude'))
      .thenOnce([hidden('Rude')]);
    given([...whole, hidden('Rude')])
      .when({ type: 'RemoveRecording', reason: 'expired' })
      .thenOnce([{ ...removed, data: { topicId: TOPIC, reason: 'expired' } }]);
  });

  it('does not listen to another egress', () => {
    given([requested, started])
      .when(report({ ...complete, egressId: 'EG_2' }))
      .then([]);
  });

  it('ends right, whichever reports come, in whatever order and however often', () => {
    const last = fc.constantFrom<Egress>(
      complete,
      { ...running, phase: 'failed' },
      { ...running, phase: 'cut_off' },
      { ...complete, durationS: 0 },
    );
    const stray: Egress = { ...complete, egressId: 'EG_2' };
    const histories = last.chain((final) =>
      fc.tuple(
        fc.constant(final),
        fc.array(fc.constantFrom<Egress | 'stop'>(starting, running, final, 'stop', running), { maxLength: 12 }),
        fc.array(fc.constantFrom<Egress | 'stop'>(running, final, stray, 'stop'), { maxLength: 12 }),
      ),
    );
    fc.assert(
      fc.property(histories, ([final, before, later]) => {
        // The answer of the start, what comes afterwards, and what the job is told at last.
        const reports = [...before, running, ...later, final];
        let [state, events] = [voiceRecording.initial, [] as VoiceRecordingEvent[]];
        const take = (command: Parameters<typeof voiceRecording.decide>[0]) => {
          for (const event of voiceRecording.decide(command, state)) {
            expect(isOver(state)).toBe(false);
            state = voiceRecording.evolve(state, event);
            events = [...events, event];
          }
        };
        take({ type: 'RequestRecording', topicId: TOPIC, requestedBy: ANNA });
        for (const one of reports) take(one === 'stop' ? { type: 'StopRecording', by: BORIS } : report(one));
        const count = (type: VoiceRecordingEvent['type']) => events.filter((event) => event.type === type).length;
        expect(state.status).toBe(final === complete ? 'ended' : 'failed');
        expect(count('VoiceRecordingEnded') + count('VoiceRecordingFailed')).toBe(1);
        expect(count('VoiceRecordingStarted')).toBeLessThanOrEqual(1);
        if (final === complete) expect(count('VoiceRecordingStarted')).toBe(1);
        expect(count('VoiceRecordingAccepted')).toBeLessThanOrEqual(1);
        expect(count('VoiceRecordingStopRequested')).toBeLessThanOrEqual(1);
      }),
      { numRuns: 200 },
    );
  });
});

describe('a room', () => {
  const givenRoom = specification(voiceRoom);
  const anna = { connectionId: 'PA_1', accountId: ANNA };
  const opened: VoiceRoomEvent = { type: 'VoiceRoomOpened', data: { openedBy: ANNA } };
  const joined: VoiceRoomEvent = { type: 'VoiceParticipantJoined', data: anna };
  const left: VoiceRoomEvent = { type: 'VoiceParticipantLeft', data: anna };
  const reserved: VoiceRoomEvent = { type: 'VoiceRecordingReserved', data: { recordingId: RECORDING } };
  const reserve = (by: string, recordingId = RECORDING, mayRecord = false) =>
    ({ type: 'ReserveRecording', recordingId, by, mayRecord }) as const;

  it('is opened by the first one, and closed when nobody is there', () => {
    givenRoom([]).when({ type: 'OpenRoom', by: ANNA }).thenOnce([opened]);
    givenRoom([opened]).when({ type: 'OpenRoom', by: BORIS }).then([]);
    givenRoom([opened, joined]).when({ type: 'CloseRoom' }).then([]);
    givenRoom([opened])
      .when({ type: 'CloseRoom' })
      .thenOnce([{ type: 'VoiceRoomClosed', data: {} }]);
  });

  it('knows who is there, also when "left" comes before "joined"', () => {
    givenRoom([opened])
      .when({ type: 'Join', ...anna })
      .thenOnce([joined]);
    givenRoom([opened])
      .when({ type: 'Leave', ...anna })
      .thenOnce([left]);
    givenRoom([opened, left])
      .when({ type: 'Join', ...anna })
      .then([]);
  });

  it('believes the list of the voice server more than reports', () => {
    const boris = { connectionId: 'PA_2', accountId: BORIS };
    givenRoom([opened, joined])
      .when({ type: 'ApplyConnections', connections: [boris] })
      .thenOnce([left, { type: 'VoiceParticipantJoined', data: boris }]);
    givenRoom([opened, left])
      .when({ type: 'ApplyConnections', connections: [anna] })
      .thenOnce([joined]);
  });

  it('is recorded once at a time, by who may', () => {
    const isRecorded = (accountId: string): VoiceRoomEvent => ({
      type: 'VoiceParticipantRecorded',
      data: { recordingId: RECORDING, accountId },
    });
    const boris = { connectionId: 'PA_2', accountId: BORIS };
    givenRoom([opened, joined])
      .when(reserve(ANNA))
      .thenOnce([reserved, isRecorded(ANNA)]);
    givenRoom([opened, joined]).when(reserve(BORIS)).then('forbidden');
    givenRoom([opened, joined])
      .when({ ...reserve(BORIS, RECORDING, true), listed: [anna, boris] })
      .thenOnce([reserved, isRecorded(ANNA), isRecorded(BORIS)]);
    givenRoom([opened, reserved]).when(reserve(ANNA, OTHER)).then('conflict');
    givenRoom([opened, reserved])
      .when({ type: 'FreeRecording', recordingId: RECORDING })
      .thenOnce([{ type: 'VoiceRecordingFreed', data: { recordingId: RECORDING } }]);
    givenRoom([opened, reserved]).when({ type: 'FreeRecording', recordingId: OTHER }).then([]);
  });

  it('is recorded only while somebody is there, and by those who are', () => {
    givenRoom([opened]).when(reserve(ANNA)).then('conflict');
    givenRoom([opened, joined])
      .when({ ...reserve(ANNA), listed: [] })
      .then('conflict');
    const boris: VoiceRoomEvent = {
      type: 'VoiceParticipantJoined',
      data: { connectionId: 'PA_2', accountId: BORIS },
    };
    givenRoom([opened, boris]).when(reserve(ANNA)).then('forbidden');
    givenRoom([opened, joined])
      .when(reserve(BORIS, RECORDING, true))
      .then('forbidden');
  });

  it('knows whose voices are in its recording, each once', () => {
    const again = { connectionId: 'PA_2', accountId: ANNA };
    const boris = { connectionId: 'PA_3', accountId: BORIS };
    const recorded = (accountId: string): VoiceRoomEvent => ({
      type: 'VoiceParticipantRecorded',
      data: { recordingId: RECORDING, accountId },
    });
    const isThere = (data: typeof boris): VoiceRoomEvent => ({ type: 'VoiceParticipantJoined', data });
    givenRoom([opened, joined])
      .when(reserve(ANNA))
      .thenOnce([reserved, recorded(ANNA)]);
    givenRoom([opened, joined, reserved, recorded(ANNA)])
      .when({ type: 'Join', ...again })
      .thenOnce([isThere(again)]);
    givenRoom([opened, joined, reserved, recorded(ANNA)])
      .when({ type: 'Join', ...boris })
      .thenOnce([isThere(boris), recorded(BORIS)]);
    givenRoom([opened, joined, reserved, recorded(ANNA)])
      .when({ type: 'ApplyConnections', connections: [anna, boris] })
      .thenOnce([isThere(boris), recorded(BORIS)]);
    const freed: VoiceRoomEvent = { type: 'VoiceRecordingFreed', data: { recordingId: RECORDING } };
    expect(givenRoom([opened, joined, reserved, recorded(ANNA), freed]).state).toMatchObject({
      recorded: [],
      lastRecordingId: RECORDING,
    });
  });

  it('is restored from its snapshot', () => {
    const { state } = givenRoom([opened, joined, left, reserved]);
    const { pack, unpack } = voiceRoom.snapshot as NonNullable<typeof voiceRoom.snapshot>;
    expect(unpack(JSON.parse(JSON.stringify(pack(state))) as never)).toEqual(state);
  });
});
