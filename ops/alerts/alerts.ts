/**
 * The one list of what somebody is told of: `ops/monitoring/alerts.yml` and the table of `docs/runbook.md` are made of it,
 * operators are told of it by mail and SMS (`ops/operators`), and lines of `/health` name one of it. Each has a section in
 * the runbook, by its name.
 */
import {
  BACKUP_OLD_S,
  backupsTooOld,
  DAY_S,
  keptTooLong,
  mailWaits,
  REFUSED_SHARE,
  refusedRequests,
} from './measures.ts';
import type { Rule } from './rule.ts';

export interface Alert {
  /** Stable: dashboards and people know it. */
  readonly name: string;
  /** One sentence. `{about}` stands for what it is about, `{value}` for the value that is too high. */
  readonly wrong: string;
  readonly mayHappen: string;
  /** The first thing to do, as an imperative; the runbook says more. */
  readonly toDo: string;
  /** `critical` cannot wait: operators also get an SMS. */
  readonly severity: 'critical' | 'warning';
  readonly rule: Rule;
  /** How long it must last before somebody is told. Missing: at once. */
  readonly minutes?: number;
}

/** Lines of `/health` that name an alert. */
const saidInHealth = (alert: string): Rule => ({
  is: 'above',
  metric: 'health_faults',
  by: 'about',
  where: { alert },
  limit: 0,
});

/** In the order of the runbook. */
export const alerts = [
  {
    name: 'CheckFails',
    wrong: 'The check {about} of something outside fails.',
    mayHappen: 'what it is for does not work',
    toDo: 'Run resort check: it says what to look at',
    severity: 'warning',
    rule: { is: 'above', metric: 'check_failing', by: 'check', limit: 0 },
    minutes: 2,
  },
  {
    name: 'ProcessDown',
    wrong: '{about} does not run, or does not answer.',
    mayHappen: 'what it is for does not happen: nobody is served, or nothing is shown, sent or paid out',
    toDo: 'Start it, and read the last lines of its log',
    severity: 'critical',
    // A process cannot tell of itself: the teller sees who no longer reports (`ops/operators/reports.ts`).
    rule: { is: 'other', expr: 'up == 0' },
    minutes: 1,
  },
  {
    name: 'RequestsFail',
    wrong: 'Requests are answered with 500: a fault of ours.',
    mayHappen: 'people cannot do what they asked for',
    toDo: 'Look for "request failed" in the log, and report that line',
    severity: 'warning',
    rule: { is: 'grew', metrics: ['http_request_seconds_count'], where: { status: '500' }, minutes: 5, limit: 0 },
  },
  {
    name: 'StoreAway',
    wrong: '{about} cannot be used.',
    mayHappen: 'whoever needs it reads "temporarily unavailable": nobody can book or pay',
    toDo: 'Bring it back; /health has the reason, and nothing else has to be restarted',
    severity: 'critical',
    rule: saidInHealth('StoreAway'),
    minutes: 1,
  },
  {
    name: 'RequestsRefused',
    wrong: 'More than 2 % of the requests are answered with 503.',
    mayHappen: 'people read "temporarily unavailable"',
    toDo: 'Look at store_faults_total and the log: a store or a provider does not answer',
    severity: 'warning',
    rule: {
      is: 'other',
      expr: `sum(rate(http_request_seconds_count{status="503"}[5m])) / sum(rate(http_request_seconds_count[5m])) > ${REFUSED_SHARE}`,
      see: refusedRequests,
    },
    minutes: 2,
  },
  {
    name: 'RequestsSlow',
    wrong: 'Every twentieth request takes longer than a second.',
    mayHappen: 'people give up',
    toDo: 'Look at the processor, the disk of the event store and what PostgreSQL waits for',
    severity: 'warning',
    rule: { is: 'slow', histogram: 'http_request_seconds', seconds: 1 },
    minutes: 10,
  },
  {
    name: 'OpenFilesFew',
    wrong: 'A process of {about} has too many files and connections open.',
    mayHappen: 'people are refused, and stores cannot be reached',
    toDo: 'Raise the limit of open files (ulimit -n, LimitNOFILE, nofile)',
    severity: 'critical',
    rule: saidInHealth('OpenFilesFew'),
    minutes: 1,
  },
  {
    name: 'SosNotTold',
    wrong: 'Rescuers were not told of a call for help.',
    mayHappen: 'a person in danger waits',
    toDo: 'Open GET /api/v1/sos?status=new and call the rescuers yourself',
    severity: 'critical',
    rule: {
      is: 'grew',
      metrics: ['sos_notices_total'],
      where: { outcome: 'failed|no_phone' },
      minutes: 10,
      limit: 0,
    },
  },
  {
    name: 'UrgentJobsFail',
    wrong: 'Urgent jobs ({about}) keep failing.',
    mayHappen: 'calls for help are not recorded, rescuers are not told again, or push messages are not sent',
    toDo: 'Read the reason in /health of a worker, and remove it',
    severity: 'critical',
    rule: { is: 'above', metric: 'jobs_failing', by: 'kind', limit: 0 },
    minutes: 1,
  },
  {
    name: 'JobsParked',
    wrong: '{value} jobs have failed too often and wait for a person.',
    mayHappen: 'a refund, a message or another consequence is missing',
    toDo: 'Run jobs parked, remove the cause, then run jobs retry',
    severity: 'warning',
    rule: { is: 'above', metric: 'jobs_parked', limit: 0 },
  },
  {
    name: 'JobsHang',
    wrong: 'A job ({about}) does not end.',
    mayHappen: 'it takes the room of other jobs',
    toDo: 'Find its id in the log, and restart the worker',
    severity: 'warning',
    rule: { is: 'above', metric: 'jobs_hanging', by: 'kind', limit: 0 },
    minutes: 5,
  },
  {
    name: 'ReviewNeeded',
    wrong: 'A person has to look at something: {about}.',
    mayHappen: 'money or access stays as it is until somebody decides',
    toDo: 'Open the review of the runbook for this kind',
    severity: 'warning',
    rule: { is: 'grew', metrics: ['review_needed_total'], by: 'what', minutes: 10, limit: 0 },
  },
  {
    name: 'ReadModelsBehind',
    wrong: '{about} show what was {value} s ago.',
    mayHappen: 'people do not see what they have just done, and prices and places are old',
    toDo: 'Run projections list, and look at the workers and PostgreSQL',
    severity: 'critical',
    rule: { is: 'above', metric: 'projection_lag_seconds', by: 'group', where: { group: 'read-models.*' }, limit: 10 },
    minutes: 2,
  },
  {
    name: 'PoliciesBehind',
    wrong: '{about} has not handled what happened {value} s ago.',
    mayHappen: 'mails, refunds and other consequences come late',
    toDo: 'Look for the event in the log that its handler does not finish',
    severity: 'warning',
    rule: { is: 'above', metric: 'projection_lag_seconds', by: 'group', where: { group: 'policy.*' }, limit: 60 },
    minutes: 2,
  },
  {
    name: 'ReadModelsWithoutWorker',
    wrong: 'No worker writes {about}.',
    mayHappen: 'nothing new is shown',
    toDo: 'Start a worker, and look at its /health',
    severity: 'critical',
    // Only Prometheus sees all workers at once; operators are told by ReadModelsBehind and ProcessDown.
    rule: { is: 'other', expr: 'max by (group) (projection_active) == 0' },
    minutes: 2,
  },
  {
    name: 'StreamsParked',
    wrong: '{value} streams cannot be shown by {about}.',
    mayHappen: 'a booking, chat or account shows what was',
    toDo: 'Run projections parked: it has the event and the error',
    severity: 'warning',
    rule: { is: 'above', metric: 'projection_parked', by: 'model', limit: 0 },
  },
  {
    name: 'EventsUnreadable',
    wrong: '{about} could not read an event.',
    mayHappen: 'what follows from the event is missing',
    toDo: 'Find out who else writes to the log, or whether a key is missing',
    severity: 'warning',
    rule: { is: 'grew', metrics: ['events_unreadable_total'], by: 'consumer', minutes: 10, limit: 0 },
  },
  {
    name: 'PersonalKeysLost',
    wrong: 'Keys of personal data are missing or damaged.',
    mayHappen: 'names, texts and addresses of some people are lost for good',
    toDo: 'Stop deleting backups, and restore ops.vault_keys from the newest one that has them',
    severity: 'critical',
    rule: {
      is: 'grew',
      metrics: ['personal_keys_missing_total', 'personal_keys_damaged_total'],
      minutes: 10,
      limit: 0,
    },
  },
  {
    name: 'ErasureWaits',
    wrong: 'The erasure of people is not complete.',
    mayHappen: 'data of people who asked for its erasure stays',
    toDo: 'Look at /health of a worker, and at what its payment provider or file store answers',
    severity: 'warning',
    rule: saidInHealth('ErasureWaits'),
    minutes: 60,
  },
  {
    name: 'BackupOld',
    wrong: 'The newest backup is older than 36 hours.',
    mayHappen: 'a lost disk takes all that happened since with it',
    toDo: 'Read the reason in the log of the workers, and take one by hand',
    severity: 'critical',
    rule: {
      is: 'other',
      expr: `time() - max(backup_taken_seconds > 0) > ${BACKUP_OLD_S}`,
      see: backupsTooOld,
    },
  },
  {
    name: 'BackupFails',
    wrong: 'The scheduled backup has failed {value} times in a row.',
    mayHappen: 'there is no new backup, or none at all',
    toDo: 'Read the reason in the log of the workers: the folder, its disk, or a store',
    severity: 'warning',
    rule: { is: 'above', metric: 'backup_failures', limit: 2 },
  },
  {
    name: 'RetentionLate',
    wrong: '{about} has rows that should have been deleted more than a day ago.',
    mayHappen: 'the privacy notice is broken',
    toDo: 'Read the error in the log of the workers',
    severity: 'warning',
    rule: {
      is: 'other',
      expr: `max by (table) (retention_oldest_seconds) - max by (table) (retention_period_seconds) > ${DAY_S}`,
      see: keptTooLong,
    },
  },
  {
    name: 'ClockWrong',
    wrong: 'The clock of a process differs from that of the database by {value} s.',
    mayHappen: 'holds and tokens end early or late',
    toDo: 'Synchronise the clocks (NTP)',
    severity: 'warning',
    rule: { is: 'above', metric: 'clock_skew_seconds', limit: 5, eitherSign: true },
    minutes: 5,
  },
  {
    name: 'EventStoreSlow',
    wrong: 'Every twentieth append takes longer than half a second.',
    mayHappen: 'every booking and payment waits for it',
    toDo: 'Look at the disk of the event store, and at the network between its nodes',
    severity: 'warning',
    rule: { is: 'slow', histogram: 'eventstore_append_seconds', seconds: 0.5 },
    minutes: 10,
  },
  {
    name: 'EventStoreUnstable',
    wrong: 'Connections to the event store are lost again and again.',
    mayHappen: 'what is shown and sent is late',
    toDo: 'Look at the logs of its nodes, and at the network',
    severity: 'warning',
    rule: { is: 'grew', metrics: ['eventstore_reconnects_total'], minutes: 15, limit: 100 },
  },
  {
    name: 'MailWaits',
    wrong: 'The mail server takes no mail.',
    mayHappen: 'confirmations and warnings wait, for a day at most',
    toDo: 'Read the words of the mail server in the log',
    severity: 'warning',
    rule: {
      is: 'other',
      expr: 'sum(increase(mails_total{outcome="delayed"}[30m])) > 0 unless sum(increase(mails_total{outcome="sent"}[30m])) > 0',
      see: mailWaits,
    },
  },
  {
    name: 'MailKept',
    wrong: 'The mail server refuses e-mails for a reason of its own.',
    mayHappen: 'people do not get them: they are kept for 14 days',
    toDo: 'Run mail undeliverable, mend the reason, then run mail send-again',
    severity: 'warning',
    rule: saidInHealth('MailKept'),
  },
  {
    name: 'SellersNotTold',
    wrong: 'Text messages to sellers about bookings could not be sent.',
    mayHappen: 'bookings are not confirmed in time, and guests get their money back',
    toDo: 'Look at the SMS gateway and its balance',
    severity: 'warning',
    rule: { is: 'grew', metrics: ['seller_notices_total'], where: { outcome: 'failed' }, minutes: 30, limit: 0 },
  },
  {
    name: 'PushRefused',
    wrong: '{about} refuses push messages.',
    mayHappen: 'nothing reaches devices of this kind',
    toDo: 'Look at the keys of the service',
    severity: 'warning',
    rule: {
      is: 'grew',
      metrics: ['push_deliveries_total'],
      by: 'service',
      where: { outcome: 'refused' },
      minutes: 30,
      limit: 10,
    },
  },
  {
    name: 'LogLinesLost',
    wrong: 'Lines of the log were lost: the output cannot be written.',
    mayHappen: 'nobody can find out afterwards what happened',
    toDo: 'Make room on the disk of the log',
    severity: 'warning',
    rule: { is: 'grew', metrics: ['log_lines_dropped_total'], minutes: 10, limit: 0 },
  },
  {
    name: 'Attacked',
    wrong: 'Many events of the kind {about}.',
    mayHappen: 'somebody guesses passwords or uses stolen ones',
    toDo: 'Look at the lines of the log with "security", and block the network in front',
    severity: 'warning',
    rule: { is: 'grew', metrics: ['security_events_total'], by: 'event', minutes: 5, limit: 300 },
    minutes: 5,
  },
  {
    name: 'EventLoopBusy',
    wrong: 'A process is too busy to answer in time.',
    mayHappen: 'people wait, and leases are lost',
    toDo: 'Start another process of this role',
    severity: 'warning',
    rule: { is: 'above', metric: 'nodejs_eventloop_lag_p99_seconds', limit: 0.5 },
    minutes: 10,
  },
] as const satisfies readonly Alert[];

export type AlertName = (typeof alerts)[number]['name'];

const byName: ReadonlyMap<string, Alert> = new Map(alerts.map((alert) => [alert.name, alert]));

export const alertOf = (name: AlertName): Alert => byName.get(name) as Alert;

/** Of the runbook. */
export const sectionOf = (name: string): string => `docs/runbook.md#${name.toLowerCase()}`;
