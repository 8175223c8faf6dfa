/** Passwords at rest: argon2id with the parameters of OWASP's password storage cheat sheet (19 MiB, 2 passes, 1 lane). */
import { type Algorithm, hash, verify } from '@node-rs/argon2';

const PARAMETERS = { algorithm: 2 satisfies Algorithm.Argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * The hash of random bytes. A password is compared with it when there is no account, so that the reply takes as long.
 */
const OF_NOBODY = '$argon2id$v=19$m=19456,t=2,p=1$jQmxGa3cxl4sBD3AdGirfw$1SLK3Y+ru8VTpzPLJesdTtLdDEHI5kVfcHyIg3Pl5FA';

/** In PHC format, with its parameters and salt. */
export const hashPassword = (password: string): Promise<string> => hash(password.normalize('NFKC'), PARAMETERS);

const isHash = (text: string | null): text is string => text?.startsWith('$') === true;

/**
 * Takes the same time for an account without a password (`null`) as for a wrong password. So does a hash that was erased
 * or cannot be read.
 */
export const passwordFits = async (passwordHash: string | null, password: string): Promise<boolean> =>
  (await verify(isHash(passwordHash) ? passwordHash : OF_NOBODY, password.normalize('NFKC'))) && isHash(passwordHash);
