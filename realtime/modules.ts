/** Every module that declares channels: one line each. */
import { accounts } from './accounts/index.ts';
import type { RealtimeModule } from './hub/channels.ts';

const modules: readonly RealtimeModule[] = [accounts];

export const channels = modules.flatMap((module) => module.channels);
