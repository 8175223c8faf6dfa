/** How much is unread in a chat, as its member is told live: one frame a chat and interval, however many messages come. */
import { Type } from '@sinclair/typebox';
import { Uuid } from '../../domain/core/schema.ts';
import { userChannel } from '../accounts/channels.ts';
import type { Payload } from '../engine/payloads.ts';
import { UnreadFields } from './chats.ts';

const ChatBadge = Type.Object({ thread_id: Uuid, ...UnreadFields }, { $id: 'ChatBadge' });

export const chatPayloads: readonly Payload[] = [
  { name: 'chat_badge', entity: 'chat_badge', row: ChatBadge, schema: undefined, channels: [userChannel.name] },
];
