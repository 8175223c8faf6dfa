/** Every module that declares channels, the lowest first: one line each. */
import { accounts } from './accounts/index.ts';
import { calls } from './calls/index.ts';
import { chat } from './chat/index.ts';
import { content } from './content/index.ts';
import { forums } from './forums/index.ts';
import { friends } from './friends/index.ts';
import type { RealtimeModule } from './hub/channels.ts';
import { platform } from './platform/index.ts';
import { resort } from './resort/index.ts';
import { sos } from './sos/index.ts';
import { support } from './support/index.ts';
import { tracking } from './tracking/index.ts';

const modules: readonly RealtimeModule[] = [
  accounts,
  platform,
  friends,
  calls,
  chat,
  support,
  tracking,
  resort,
  sos,
  content,
  forums,
];

export const channels = modules.flatMap((module) => module.channels);
