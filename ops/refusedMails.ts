/** Tells operators of e-mails that the mail server refuses for a reason of its own: nobody else can mend it. */
import type { countKept } from '../commands/mail/refusedMails.ts';

/** Counts them each time it is called. */
export const createRefusedMailCheck = (
  count: () => ReturnType<typeof countKept>,
): { check(): Promise<void>; remarks(): string[] } => {
  let kept: Awaited<ReturnType<typeof countKept>>;
  return {
    check: async () => {
      kept = await count();
    },
    remarks: () =>
      kept === undefined
        ? []
        : [
            `The mail server refuses e-mails${kept.code === null ? '' : ` (${kept.code})`}: ${kept.count} are kept. \`npm run mail -- undeliverable\` says why, \`npm run mail -- send-again\` sends them.`,
          ],
  };
};
