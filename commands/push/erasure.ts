/** What the erasure of a person does to push messages to others. Those to the person are deleted as `personalData` says. */
import type { CountedErasureStep } from '../core/erasure.ts';
import type { PushDeps } from './deps.ts';
import { deleteMessages } from './tables.ts';

/** Deletes those that name the person and still wait to be delivered. */
export const deleteNamed: CountedErasureStep<Pick<PushDeps, 'pool'>> = async ({ pool }, _, person) => ({
  holder: 'push messages to others',
  outcome: 'deleted',
  count: await deleteMessages(pool, 'of_person = $1', [person]),
});
