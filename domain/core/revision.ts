/** Revisions of what people read and then change, so that nobody undoes a change that they have not seen. */
import { Type } from '@sinclair/typebox';
import { Rejected } from './decider.ts';

/** Rises with every change. */
export const Revision = Type.Integer({ minimum: 0 });

/** The part of a command that names the revisions for which it is meant. */
export interface IfRevision {
  /** Only if it still has one of these; undefined: whatever it has. */
  readonly ifRevision?: readonly number[] | undefined;
}

/** @param what `This lift` @throws Rejected `outdated_revision` */
export const refuseOutdated = (what: string, { ifRevision }: IfRevision, revision: number): void => {
  if (ifRevision && !ifRevision.includes(revision))
    throw new Rejected('outdated_revision', `${what} was changed meanwhile. Read it again, then repeat.`, { revision });
};
