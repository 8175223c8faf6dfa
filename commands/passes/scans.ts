/** Scans at gates: one that asks, many that happened without a connection, and a check that only reads. */
import { notFound, requireExisting } from '../../domain/core/decider.ts';
import { instantOf, msBetween } from '../../domain/core/instants.ts';
import { judge } from '../../domain/passes/admission.ts';
import type { ClosedDate } from '../../domain/passes/closures.ts';
import { type OpenPass, type Pass, pass } from '../../domain/passes/pass.ts';
import type { Scan } from '../../domain/passes/passEvents.ts';
import { MAX_SKEW_MS, type PassReason, reasonDetails } from '../../domain/passes/refusalReasons.ts';
import { concurrentEach } from '../../infra/concurrentEach.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import { unlessRejected } from '../core/refusals.ts';
import { closedDates } from './closures.ts';
import { type CodeProblem, codeProblemDetails, type PassCode, readCode } from './codes.ts';
import type { PassDeps } from './deps.ts';
import { passFor } from './dividePurchase.ts';

type Deps = Pick<PassDeps, 'aggregates' | 'passKeys'>;

/** A gate and what it read. */
export interface Shown extends Pick<Scan, 'scanId' | 'gateId' | 'liftId' | 'area'> {
  readonly code: string;
}

export interface Answer {
  readonly opens: boolean;
  readonly reason: PassReason | CodeProblem | null;
  /** What the guest can do; null when it opens. */
  readonly detail: string | null;
  /** null: the code is none of ours. */
  readonly passId: string | null;
  readonly pass: OpenPass | null;
  readonly closed: readonly ClosedDate[];
}

const answer = (
  reason: PassReason | null,
  { passId, pass, closed }: { passId: string; pass: OpenPass; closed: readonly ClosedDate[] },
): Answer => ({
  opens: reason === null,
  reason,
  detail: reason && reasonDetails[reason],
  passId,
  pass,
  closed,
});

const problemAnswer = (problem: CodeProblem): Answer => ({
  opens: false,
  reason: problem,
  detail: codeProblemDetails[problem],
  passId: null,
  pass: null,
  closed: [],
});

/** What is scanned was sold before: deciding on a pass that does not exist yet would only be refused. */
const onSold = (context: CommandContext): CommandContext => ({ ...context, isFirstAttempt: false });

/** How a scan was answered; undefined: it was not recorded. */
const recorded = (state: Pass, scanId: string) =>
  state.status === 'open' ? state.scans.find(({ id }) => id === scanId) : undefined;

/** A gate repeats a scan whose reply it did not get, perhaps when the time code has passed. */
const repeated = async (deps: Deps, code: PassCode, scanId: string): Promise<Answer | undefined> => {
  const { state } = await deps.aggregates.load(pass, code.passId);
  const known = recorded(state, scanId);
  if (state.status === 'none' || !known) return undefined;
  const closed = await closedDates(deps);
  return answer(known.passed ? null : known.reason, { passId: code.passId, pass: state, closed });
};

/**
 * Consumes: a gate asks whether it may open. A refusal is recorded, too. The same scan again gets the same answer.
 * @throws Rejected `not_found` for a code of ours without a pass
 */
export const scanPass = async (deps: Deps, context: CommandContext, shown: Shown): Promise<Answer> => {
  const { code: text, ...scan } = shown;
  const { code, problem } = readCode(deps.passKeys, text, context.at);
  if (code === null) return problemAnswer(problem ?? 'malformed');
  const { passId, serial } = code;
  if (problem) return (await repeated(deps, code, scan.scanId)) ?? problemAnswer(problem);
  const closed = await closedDates(deps);
  const told = { ...scan, scannedAt: context.at, skewMs: 0 };
  const { state } = await deps.aggregates.handle(
    pass,
    passId,
    { type: 'ScanPass', scan: told, serial, closed },
    onSold(context),
  );
  const known = recorded(state, scan.scanId);
  if (state.status === 'none' || !known) throw notFound('pass');
  return answer(known.passed ? null : known.reason, { passId, pass: state, closed });
};

/** What a gate without a connection did. */
export interface OfflineScan extends Shown {
  /** By the clock of the gate, RFC 3339. */
  readonly scannedAt: string;
  /** Whether somebody passed. */
  readonly passed: boolean;
  /** Why not. */
  readonly reason: PassReason | null;
}

/** How an uploaded scan was kept: `conflict` is what was wrong with a passage, `problem` means that it was not kept. */
export interface Kept {
  readonly scanId: string;
  readonly passId: string | null;
  readonly conflict: PassReason | null;
  readonly problem: CodeProblem | null;
}

const recordOne = async (
  deps: Deps,
  context: CommandContext,
  { code: text, scannedAt, passed, reason, ...of }: OfflineScan,
  skewMs: number,
  closed: readonly ClosedDate[],
): Promise<Kept> => {
  const { scanId } = of;
  // The phone and the gate agreed about the time, whatever it was.
  const { code, problem } = readCode(deps.passKeys, text, scannedAt);
  if (code === null || (problem !== null && problem !== 'stale'))
    return { scanId, passId: null, conflict: null, problem: problem ?? 'malformed' };
  const real = Date.parse(scannedAt) - skewMs;
  const now = Date.parse(context.at);
  const scan = { ...of, scannedAt: instantOf(Math.min(real, now)), skewMs };
  const clockIsWrong = problem === 'stale' || Math.abs(skewMs) > MAX_SKEW_MS || real - now > MAX_SKEW_MS;
  const command = { type: 'RecordScan', scan, serial: code.serial, closed, passed, reason, clockIsWrong } as const;
  const record = () => deps.aggregates.handle(pass, code.passId, command, followUp(onSold(context), scanId));
  const { state } = (await unlessRejected(record, 'not_found')) ?? { state: pass.initial };
  if (state.status === 'none') return { scanId, passId: null, conflict: null, problem: 'forged' };
  const known = recorded(state, scanId);
  return { scanId, passId: code.passId, conflict: known?.passed ? known.reason : null, problem: null };
};

/** Passes that are recorded at the same time: enough for the log to flush many appends together. */
const AT_ONCE = 32;

/**
 * Keeps what happened at a gate without a connection, in the order of its times: nothing is refused but codes that are not
 * ours. Safe to repeat.
 * @param deviceTime what the clock of the gate shows now, RFC 3339
 * @returns how each scan was kept, in the order of the request
 */
export const recordScans = async (
  deps: Deps,
  context: CommandContext,
  { deviceTime, scans }: { readonly deviceTime: string; readonly scans: readonly OfflineScan[] },
): Promise<{ readonly skewMs: number; readonly kept: readonly Kept[] }> => {
  const skewMs = msBetween(context.at, deviceTime);
  const closed = await closedDates(deps);
  const byCode = new Map<string, OfflineScan[]>();
  for (const scan of scans.toSorted((a, b) => Date.parse(a.scannedAt) - Date.parse(b.scannedAt))) {
    const signed = scan.code.split('.').slice(0, 3).join('.');
    byCode.set(signed, [...(byCode.get(signed) ?? []), scan]);
  }
  const kept = new Map<string, Kept>();
  await concurrentEach(byCode.values(), AT_ONCE, async (ofOne) => {
    for (const scan of ofOne) kept.set(scan.scanId, await recordOne(deps, context, scan, skewMs, closed));
  });
  return { skewMs, kept: scans.flatMap(({ scanId }) => kept.get(scanId) ?? []) };
};

/** What is checked: a code that somebody shows, or a pass of one's own. */
export type Checked = { readonly code: string } | { readonly passId: string };

/** Whether a gate of an area would open now. Nothing is consumed. @throws Rejected `not_found` */
export const checkPass = async (
  deps: Deps,
  context: CommandContext,
  checked: Checked,
  area: number | null,
): Promise<Answer> => {
  const { at } = context;
  const read = 'code' in checked ? readCode(deps.passKeys, checked.code, at) : null;
  if (read?.problem) return problemAnswer(read.problem);
  const found =
    'passId' in checked
      ? await passFor(deps, context, checked.passId)
      : { passId: read?.code?.passId ?? '', pass: (await deps.aggregates.load(pass, read?.code?.passId ?? '')).state };
  requireExisting(found.pass, 'pass');
  const closed = await closedDates(deps);
  const { reason } = judge(found.pass, { at, serial: read?.code?.serial ?? null, area }, closed);
  return answer(reason, { passId: found.passId, pass: found.pass, closed });
};
