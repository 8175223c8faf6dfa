/**
 * What others have sent to a person: the messages of their threads since they joined. People who have left see what
 * they had read.
 */
import type { ExportSection } from '../../infra/exportSections.ts';
import { ownForm } from '../engine/personalRows.ts';
import { quoted, tableName } from '../engine/readDb.ts';
import { columnsOf } from '../engine/tables.ts';
import { type MessageRow, messages } from './messages.ts';
import { participants } from './participants.ts';

export const receivedMessages: ExportSection = {
  name: 'messages_received',
  text: `select ${columnsOf(messages)
    .map((column) => `m.${quoted(column)}`)
    .join(', ')}
    from ${tableName(participants.name)} p join ${tableName(messages.name)} m using (thread_id)
    where p.account_id = $1 and m.sender_id <> $1 and m.seq > p.joined_seq
      and (p.is_member and p.blocks = 0 or m.seq <= p.last_read_seq)`,
  show: (row) => messages.wire.of(row as MessageRow, 'guest'),
  schema: ownForm(messages),
};
