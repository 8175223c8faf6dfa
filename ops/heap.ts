/** How V8 keeps the objects of a process. */
import { setFlagsFromString } from 'node:v8';

/**
 * Has V8 make every new object among the young ones. By itself it stops doing so where many objects of one place in the
 * code have survived some collections: those of requests that wait for a slow append do. From then on it makes all of
 * that place old, those of quick requests too, and each of them keeps what it refers to alive through every collection
 * of the young. A collection then takes up to ten times as long, and the process never recovers.
 * Call it before the process has anything to do.
 */
export const keepNewObjectsYoung = (): void => setFlagsFromString('--no-allocation-site-pretenuring');
