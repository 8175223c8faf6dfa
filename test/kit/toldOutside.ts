/** What follows when a step of an erasure has written down which bytes go: the file store is told, as at the end of an erasure. */
import { certificateOf } from '../../commands/core/certificateParts.ts';
import type { CommandContext } from '../../commands/core/handle.ts';
import { tellOutside } from '../../commands/core/outsideErasures.ts';
import type { FileDeps } from '../../commands/files/deps.ts';
import { bytesErasure } from '../../commands/files/erasure.ts';

/** @returns how much still waits */
export const deleteErasedBytes = (deps: FileDeps, context: CommandContext, person: string): Promise<number> =>
  tellOutside(deps, [bytesErasure], context, {
    certificate: certificateOf(deps.vault, person),
    until: Number.POSITIVE_INFINITY,
  });
