/** Whose fault it is when reading fails: that of the file, unless the disk is at fault. Nothing else varies here. */
import { Rejected } from '../../../domain/core/decider.ts';
import { isDiskFault } from '../../../infra/storeFaults.ts';
import { UploadRefused } from '../refusals.ts';

export const damaged = (what: 'picture' | 'recording' | 'file'): Rejected =>
  new Rejected('invalid', `The ${what} is damaged or is not complete. Choose another one.`, { fields: ['file'] });

const isRefusal = (error: unknown): boolean => error instanceof Rejected || error instanceof UploadRefused;

/** @throws what `work` refuses and errors of the disk; Rejected `invalid` for whatever else a library throws */
export const orDamaged = async <T>(what: 'picture' | 'recording' | 'file', work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    throw isRefusal(error) || isDiskFault(error) ? error : damaged(what);
  }
};
