/** What a process holds is known only after its garbage was collected. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Collects several times: what a first pass releases may hold more. */
export const collectGarbage = (): void => {
  for (let i = 0; i < 4; i++) collect();
};
