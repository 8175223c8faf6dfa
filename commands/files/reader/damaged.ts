/** Whose fault it is when reading fails: that of the file, unless the disk is at fault. Nothing else varies here. */
import { Rejected } from '../../../domain/core/decider.ts';
import { UploadRefused } from '../refusals.ts';

export const damaged = (what: 'picture' | 'recording' | 'file'): Rejected =>
  new Rejected('invalid', `The ${what} is damaged or is not complete. Choose another one.`);

const isRefusal = (error: unknown): boolean => error instanceof Rejected || error instanceof UploadRefused;

/** Whether the disk is full or broken. Native libraries say so in words only. */
const isOfDisk = (error: unknown): boolean => {
  const { code, message } = error as NodeJS.ErrnoException;
  return (
    /^(ENOSPC|EDQUOT|EIO|EROFS|EMFILE|ENFILE|EACCES)$/.test(code ?? '') || /No space left|Disk quota/.test(message)
  );
};

/** @throws what `work` refuses and errors of the disk; Rejected `invalid` for whatever else a library throws */
export const orDamaged = async <T>(what: 'picture' | 'recording' | 'file', work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    throw isRefusal(error) || isOfDisk(error) ? error : damaged(what);
  }
};
