/** That operators hear of e-mails that the mail server refuses. */
import { expect, it } from 'vitest';
import { createRefusedMailCheck } from '../../ops/refusedMails.ts';

it('they are a remark as long as some are kept', async () => {
  let kept: { count: number; code: number | null } | undefined = { count: 2, code: 554 };
  const { check, remarks } = createRefusedMailCheck(async () => kept);
  expect(remarks()).toEqual([]);
  await check();
  expect(remarks()).toEqual([
    'The mail server refuses e-mails (554): 2 are kept. `npm run mail -- undeliverable` says why, `npm run mail -- send-again` sends them.',
  ]);
  kept = undefined;
  await check();
  expect(remarks()).toEqual([]);
});
