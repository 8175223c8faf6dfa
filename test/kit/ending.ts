/**
 * What a spec opens (stores, projectors, servers) ends by itself: with the test that opened it, or else with the file. What
 * was opened last ends first.
 */
import { onTestFinished, TestRunner } from 'vitest';

type End = () => Promise<unknown>;

let ofFile: End[] = [];

/** Ends it once: at the first call, or when the test or the file that calls this has ended. */
export const endsWithSpec = (end: End): (() => Promise<void>) => {
  let ended: Promise<void> | undefined;
  const once = (): Promise<void> => {
    ended ??= end().then(() => undefined);
    return ended;
  };
  if (TestRunner.getCurrentTest() === undefined) ofFile.push(once);
  else onTestFinished(once);
  return once;
};

/** Ends what the file has opened outside of its tests. Called once, after everything else of the file. */
export const endAllOfFile = async (): Promise<void> => {
  const ends = ofFile.toReversed();
  ofFile = [];
  for (const end of ends) await end();
};
