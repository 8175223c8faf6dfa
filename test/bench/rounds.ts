/** Contenders take turns, so that what else happens on the machine meets all of them; medians and spread of the rounds. */
import { cpuOf, cpuOfEnded, type Processes } from './cpu.ts';

/** What a contender did in one round. */
export interface Work {
  readonly operations: number;
  readonly seconds: number;
  /** Milliseconds. */
  readonly p50?: number;
  readonly p99?: number;
}

/** Totals since some start, by what is counted: `statements`, `calls`. */
export type Counts = Readonly<Record<string, number>>;

export interface Contender {
  readonly name: string;
  /** Beside what we measure ourselves; it rests while two builds are compared. */
  readonly isPeer?: boolean;
  /** Works for so many seconds, and checks the answers. @throws Error for a wrong answer */
  run(seconds: number): Promise<Work>;
  /** The processes whose CPU time the work costs. */
  readonly processes: () => Processes | Promise<Processes>;
  readonly counts?: () => Promise<Counts>;
  /** Waited for before it works: what the contender before it has left to do would be counted as its own. */
  readonly ready?: () => Promise<void>;
}

export interface Plan {
  readonly warmUpSeconds: number;
  readonly seconds: number;
  readonly rounds: number;
}

/** Of the rounds. */
export interface Spread {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

export interface Result {
  readonly name: string;
  /** Operations a second. */
  readonly rate: Spread;
  /** Milliseconds of CPU an operation, over all processes; undefined where CPU times cannot be read. */
  readonly cpu?: Spread;
  /** The same by process; the median round of each. */
  readonly cpuBy?: Readonly<Record<string, number>>;
  /** An operation. */
  readonly counts?: Counts;
  readonly p50?: number;
  readonly p99?: number;
}

export const spreadOf = (values: readonly number[]): Spread => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const median = ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2;
  return { median, least: sorted[0] ?? Number.NaN, most: sorted.at(-1) ?? Number.NaN };
};

interface Round extends Work {
  readonly cpuBy?: Record<string, number>;
  readonly counts?: Counts;
}

const difference = (after: Counts, before: Counts): Record<string, number> =>
  Object.fromEntries(Object.entries(after).map(([name, value]) => [name, value - (before[name] ?? 0)]));

const round = async (contender: Contender, seconds: number): Promise<Round> => {
  await contender.ready?.();
  const processes = await contender.processes();
  const counted = await contender.counts?.();
  const before = cpuOf(processes);
  const work = await contender.run(seconds);
  const after = cpuOf(processes);
  if (work.operations === 0) throw new Error(`${contender.name} did nothing in ${seconds} s`);
  const counts = contender.counts && counted && difference(await contender.counts(), counted);
  return {
    ...work,
    ...(before && after && { cpuBy: difference(after, before) as Record<string, number> }),
    ...(counts && { counts }),
  };
};

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Totals of all rounds by name, an operation. */
const perOperation = (rounds: readonly Round[], totalsOf: (round: Round) => Counts | undefined): Counts | undefined => {
  const names = Object.keys(rounds.map(totalsOf).find((totals) => totals !== undefined) ?? {});
  const operations = sum(rounds.map((each) => each.operations));
  if (names.length === 0) return undefined;
  return Object.fromEntries(
    names.map((name) => [name, sum(rounds.map((each) => totalsOf(each)?.[name] ?? 0)) / operations]),
  );
};

const resultOf = (name: string, rounds: readonly Round[]): Result => {
  const cpuBy = perOperation(rounds, (each) => each.cpuBy);
  const counts = perOperation(rounds, (each) => each.counts);
  const cpus = rounds.flatMap(({ cpuBy: by, operations }) =>
    by ? [(sum(Object.values(by)) / operations) * 1_000] : [],
  );
  const medianOf = (values: (number | undefined)[]) => spreadOf(values.filter((value) => value !== undefined)).median;
  const [p50, p99] = [medianOf(rounds.map((each) => each.p50)), medianOf(rounds.map((each) => each.p99))];
  return {
    name,
    rate: spreadOf(rounds.map(({ operations, seconds }) => operations / seconds)),
    ...(cpus.length > 0 && { cpu: spreadOf(cpus) }),
    ...(cpuBy && { cpuBy: Object.fromEntries(Object.entries(cpuBy).map(([key, value]) => [key, value * 1_000])) }),
    ...(counts && { counts }),
    ...(!Number.isNaN(p50) && { p50 }),
    ...(!Number.isNaN(p99) && { p99 }),
  };
};

/** The environment of a benchmark whose peers rest. */
export const WITHOUT_PEERS = { BENCH_WITHOUT_PEERS: '1' } as const;
const peersRest = process.env.BENCH_WITHOUT_PEERS === WITHOUT_PEERS.BENCH_WITHOUT_PEERS;

/** Measures contenders in turn: a warm-up for each, then rounds in which each works once. */
export const compare = async (all: readonly Contender[], plan: Plan): Promise<Result[]> => {
  const contenders = all.filter(({ isPeer = false }) => !(isPeer && peersRest));
  const rounds = new Map<string, Round[]>(contenders.map(({ name }) => [name, []]));
  for (const contender of contenders) {
    await contender.ready?.();
    await contender.run(plan.warmUpSeconds);
  }
  for (let n = 0; n < plan.rounds; n += 1)
    for (const contender of contenders) rounds.get(contender.name)?.push(await round(contender, plan.seconds));
  return [...rounds].map(([name, done]) => resultOf(name, done));
};

/**
 * The result of work that is too long to be repeated. It runs in programs that have ended when it resolves; `processes` are
 * those that it uses beside them.
 */
export const once = async (name: string, processes: Processes, work: () => Promise<Work>): Promise<Result> => {
  const all = () => {
    const [program, others] = [cpuOfEnded(), cpuOf(processes)];
    return program === undefined || others === undefined ? undefined : { program, ...others };
  };
  const before = all();
  const done = await work();
  const after = all();
  const cpuBy = before && after && (difference(after, before) as Record<string, number>);
  return resultOf(name, [{ ...done, ...(cpuBy && { cpuBy }) }]);
};
