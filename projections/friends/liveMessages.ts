/** What a person is told of live positions on their `friends_` channel. `from` of the message is the friend. */
import { Type } from '@sinclair/typebox';
import { Instant } from '../../domain/core/schema.ts';
import { LivePosition, SHARING_ENDED } from '../../domain/friends/live.ts';

export const positionUpdated = {
  type: 'position.updated',
  summary: 'Where a friend is. Clients forget it at `until`.',
  data: Type.Object({ position: LivePosition, at: Instant, until: Instant }),
};

export const sharingEnded = {
  type: SHARING_ENDED,
  summary: 'A friend does not share their position any more.',
  data: Type.Object({}),
};
