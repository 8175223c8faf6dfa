/** Starts the system once for all specs of the `http` project. */
import type { TestProject } from 'vitest/node';
import { startWorld } from './world.ts';

export default async (project: TestProject) => {
  const world = await startWorld({ DISPUTE_WINDOW_HOURS: '0' });
  project.provide('world', { dataDir: world.dataDir, demo: world.demo, runtime: await world.runtime() });
  return () => world.stop();
};
