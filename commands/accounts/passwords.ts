/** Passwords at rest: argon2id with the parameters of OWASP's password storage cheat sheet (19 MiB, 2 passes, 1 lane). */
import { availableParallelism } from 'node:os';
import { type Algorithm, hash, verify } from '@node-rs/argon2';
import { createKeyedQueue } from '../../infra/keyedQueue.ts';

const PARAMETERS = { algorithm: 2 satisfies Algorithm.Argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * The hash of random bytes. A password is compared with it when there is no account, so that the reply takes as long.
 */
const OF_NOBODY = '$argon2id$v=19$m=19456,t=2,p=1$jQmxGa3cxl4sBD3AdGirfw$1SLK3Y+ru8VTpzPLJesdTtLdDEHI5kVfcHyIg3Pl5FA';

/** A hash takes 19 MiB and some 20 ms of a core: more at once would only slow all down, and many would exhaust the memory. */
const queue = createKeyedQueue({ atOnce: availableParallelism(), waiting: 64, patienceMs: 5_000 });
const inTurn = <T>(work: () => Promise<T>): Promise<T> => queue.run('password hashes', work);

/** In PHC format, with its parameters and salt. @throws Overloaded when too many wait */
export const hashPassword = (password: string): Promise<string> =>
  inTurn(() => hash(password.normalize('NFKC'), PARAMETERS));

const isHash = (text: string | null): text is string => text?.startsWith('$') === true;

/**
 * Takes the same time for an account without a password (`null`) as for a wrong password. So does a hash that was erased
 * or cannot be read. @throws Overloaded when too many wait
 */
export const passwordFits = async (passwordHash: string | null, password: string): Promise<boolean> => {
  const compared = isHash(passwordHash) ? passwordHash : OF_NOBODY;
  return (await inTurn(() => verify(compared, password.normalize('NFKC')))) && isHash(passwordHash);
};
