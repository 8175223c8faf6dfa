/** Deletes the pictures that reviews do not show any more. */
import type { Recorded } from '../../domain/core/decider.ts';
import type { EventOf } from '../../domain/modules.ts';
import { type PolicyHandler, policy } from '../core/policy.ts';
import { removeFiles } from '../files/usage.ts';
import { usageOf } from './files.ts';

const removeDropped: PolicyHandler<Recorded<EventOf<'ReviewEdited' | 'ReviewDeleted'>>> = async (
  { streamId: id, data },
  { deps, context },
) => removeFiles(deps, context, { ids: data.dropped, usage: usageOf(id) });

export const reviewPolicy = policy('reviews', { ReviewEdited: removeDropped, ReviewDeleted: removeDropped });
