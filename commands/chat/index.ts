/** The write-side manifest of this module. */
import { message } from '../../domain/chat/message.ts';
import { threadMember } from '../../domain/chat/threadMember.ts';
import type { CommandModule } from '../core/module.ts';
import type { FileUsers } from '../files/fileUses.ts';
import type { AppealableKinds } from '../reports/appealables.ts';
import { appealableText } from '../reports/authoredText.ts';
import { hasEnded } from '../reports/evidence.ts';
import { groupMigrations, leaveGroups } from './groupMembers.ts';
import { messageUse } from './messages.ts';
import { chatNotifications } from './notifications.ts';
import { chatPolicy } from './policy.ts';
import { chatSettings } from './settings.ts';
import { goneMessageMigrations } from './unread.ts';

export const chat = {
  notifications: chatNotifications,
  policies: [chatPolicy],
  followedByWorkers: [threadMember],
  settings: chatSettings,
  // It comes back while what was kept of it is there.
  appealables: { message: appealableText(message, (deps, id) => hasEnded(deps, { kind: 'message', id })) },
  fileUses: { message: { isUsed: messageUse, whose: 'uploader' } },
  migrations: [groupMigrations, goneMessageMigrations],
  erasure: { after: leaveGroups },
} as const satisfies CommandModule & FileUsers & AppealableKinds;
