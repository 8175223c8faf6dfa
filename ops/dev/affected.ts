/** Which processes run a piece of code: what `npm run dev` restarts after a change. */

const ALL = ['worker', 'api', 'realtime', 'sandbox'] as const;
export type DevRole = (typeof ALL)[number];

/** Code that only some roles load, by the beginning of its path. All other code is restarted everywhere. */
const LOADED_BY: readonly (readonly [string, readonly DevRole[]])[] = [
  ['api/', ['api']],
  ['realtime/', ['realtime', 'api']],
  ['ops/sandbox/', ['sandbox']],
  ['ops/roles/sandbox', ['sandbox']],
  ['ops/roles/api', ['api']],
  ['ops/roles/realtime', ['realtime']],
  ['ops/roles/projector', ['worker']],
  ['ops/roles/policies', ['worker']],
  ['domain/', ['worker', 'api', 'realtime']],
  ['commands/', ['worker', 'api', 'realtime']],
  ['projections/', ['worker', 'api', 'realtime']],
  ['ops/cli/', []],
  ['ops/seed/', []],
  ['client/', []],
  ['test/', []],
];

/** Code of the processes that keep running: the supervisor and the two stores. */
const STAYS = ['ops/dev/', 'ops/postgres/', 'ops/supervisor', 'ops/system', 'ops/roleProcess', 'eventstore/embedded/'];

/**
 * @param files paths of sources or compiled files, relative to the repository's root (or to `dist/`), with slashes
 * @returns the roles to restart, in the order in which they start
 */
export const affectedRoles = (files: readonly string[]): DevRole[] => {
  const roles = new Set(
    files
      .filter((file) => !needsNewStart(file))
      .flatMap((file) => LOADED_BY.find(([beginning]) => file.startsWith(beginning))?.[1] ?? ALL),
  );
  return ALL.filter((role) => roles.has(role));
};

/** Whether a change takes effect only when `npm run dev` is stopped and started again. */
export const needsNewStart = (file: string): boolean => STAYS.some((beginning) => file.startsWith(beginning));
