/** Starts the system once for all specs of the `http` project. */
import type { TestProject } from 'vitest/node';
import { startWorld } from './world.ts';

/** It logs all that it can log: `test/privacy` searches that for texts of people. */
export default async (project: TestProject) => {
  const world = await startWorld({ DISPUTE_WINDOW_HOURS: '0', LOG_LEVEL: 'debug' });
  project.provide('world', { dataDir: world.dataDir, demo: world.demo, runtime: await world.runtime() });
  return () => world.stop();
};
