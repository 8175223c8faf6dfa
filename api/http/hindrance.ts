/** What has to end before an account can be deleted. Each module says it for what it holds. */

import { type Static, Type } from '@sinclair/typebox';
import type { CommandContext } from '../../commands/core/handle.ts';
import { unlessRejected } from '../../commands/core/refusals.ts';
import type { App } from './app.ts';

export const Hindrance = Type.Object(
  {
    reason: Type.String({ description: 'A word for apps, such as `bookings_ahead`.' }),
    detail: Type.String({ description: 'What to do about it.' }),
    ids: Type.Array(Type.String(), { description: 'Of what it is about, up to 100.' }),
  },
  { $id: 'AccountHindrance' },
);
export type Hindrance = Static<typeof Hindrance>;

export const MOST_NAMED = 100;

export interface Hinders {
  find(app: App, person: string, at: string): Promise<readonly Hindrance[]>;
  /** Ends it on the person's behalf, where that is possible without them. Safe to repeat. */
  settle?(app: App, context: CommandContext, person: string): Promise<void>;
}

/** Ends all that `find` names, up to `MOST_NAMED` at a time. What has ended meanwhile is passed over. */
export const endAll = async (
  find: () => Promise<readonly string[]>,
  end: (id: string) => Promise<unknown>,
): Promise<void> => {
  for (let ids = await find(); ids.length > 0; ) {
    for (const id of ids) await unlessRejected(() => end(id), 'invalid_transition');
    ids = ids.length < MOST_NAMED ? [] : await find();
  }
};
