/** So many unread messages of a chat, or posts of a topic, are counted: of more, nobody asks how many. */
export const UNREAD_COUNTED = 1_000;
