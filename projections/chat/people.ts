/** Under which names those who write in chats are shown: as their accounts say now. */
import { chatPurpose } from '../../domain/chat/index.ts';
import { namesOfAccounts } from '../accounts/shortNames.ts';

export const chatPeople = namesOfAccounts('chat_people', chatPurpose);
