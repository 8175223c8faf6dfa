/** Every operation that not everybody may use says which harm a stolen token could do with it, or why none. */

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Type } from '@sinclair/typebox';
import { expect, it } from 'vitest';
import type { Access } from '../../api/http/access.ts';
import { type Harm, mustSayHarm, provedFor } from '../../api/http/harm.ts';
import { route } from '../../api/http/route.ts';
import { routes } from '../../api/modules.ts';

/** Operations whose path says that they are for admins or sellers, although everybody may try them. */
const isForTheirWork = /\/(admin|provider)(\/|$)/;
const says = ({ access, path, harm }: { access: Access; path: string; harm?: Harm }): boolean =>
  harm !== undefined || !(mustSayHarm(access) || isForTheirWork.test(path));

it('every operation for admins, sellers, auditors and machines says its harm', () => {
  expect(routes.filter((declared) => !says(declared)).map(({ key }) => key)).toEqual([]);
});

it('whoever says none says why', () => {
  const reasons = routes.flatMap(({ key, harm }) =>
    typeof harm === 'object' && 'none' in harm ? [[key, harm.none]] : [],
  );
  expect(reasons.filter(([, why = '']) => why.split(' ').length < 3)).toEqual([]);
});

it('fields that ask for a proof are fields of the body', () => {
  for (const { key, harm, spec } of routes)
    for (const field of provedFor(harm)?.fields ?? [])
      expect(Object.keys(spec.body?.properties ?? {}), key).toContain(field);
});

/** Whose code asks for the role of an admin by itself, and why nobody needs a fresh proof for what follows there. */
const asksForRole: Readonly<Record<string, string>> = {
  'api/http/harm.ts': 'is the proof',
  'api/http/authenticate.ts': 'is the access that the route declares',
  'api/forums/access.ts':
    'who only writes as an admin: the routes that change what others wrote declare a harm by admins',
  'api/forums/history.ts': 'its route declares a harm by admins',
  'api/chat/history.ts': 'its route declares a harm by admins',
  'api/chat/messages.ts': 'its route declares a harm by admins',
  'api/chat/access.ts': 'chats of the support: daily work of agents',
  'api/support/tickets.ts': 'tickets of the support: daily work of agents',
  'api/sos/rescuerBoard.ts': 'rescuers at work must not be held up',
  'api/bookings/bookings.ts': 'its list of the bookings of all sellers declares a harm by admins',
  'api/bookings/trips.ts': 'daily work, one trip at a time',
  'api/payments/payments.ts': 'daily work, one payment at a time',
  'api/purchases/purchases.ts': 'daily work, one purchase at a time',
  'api/catalog/ownStock.ts': 'figures: by how much more is sold than there is',
  'api/files/attachments.ts': 'which folders somebody may upload to',
  'api/platform/modules.ts': 'which parts of the product are open',
  'api/accounts/channels.ts': 'names a channel, which needs no proof',
  'api/accounts/deletionBlockers.ts': 'what stands in the way of the end of the own account',
  'commands/accounts/admins.ts': 'counts who is an admin',
  'commands/bookings/loadBooking.ts': 'daily work of a desk, one booking at a time',
  'commands/catalog/listings.ts': 'its routes are for sellers, and each says its harm',
  'commands/catalog/owners.ts': 'its routes are for sellers, and each says its harm',
  'commands/friends/strangers.ts': 'whom limits do not count',
  'commands/chat/messages.ts': 'the admins of a group, who are not those of the resort',
  'commands/chat/strangers.ts': 'how many people somebody may write to',
  'commands/forums/limits.ts': 'how much somebody may write',
  'commands/forums/sanctions.ts': 'protects admins',
  'commands/passes/dividePurchase.ts': 'one pass at a time; giving it back declares a harm by admins',
  'commands/passes/refunds.ts': 'its route declares a harm by admins',
  'commands/payments/refunds.ts': 'its routes declare a harm',
  'commands/purchases/cancelPurchase.ts': 'its route declares a harm by admins',
  'commands/reviews/reviews.ts': 'its route is for sellers, and says its harm',
  'commands/sos/duty.ts': 'who can be on duty',
  'commands/voice/rights.ts': 'who may talk in a locked topic',
  'projections/bookings/bookings.ts': 'daily work, one booking at a time',
  'projections/bookings/bookingWire.ts': 'daily work, one booking at a time',
  'projections/bookings/trips.ts': 'daily work, one trip at a time',
  'projections/payments/paymentWire.ts': 'daily work, one payment at a time',
  'projections/chat/chats.ts': 'chats of the support: daily work of agents',
  'projections/chat/participants.ts': 'chats of the support: daily work of agents',
};

it('code that shows admins more asks for a fresh proof, or is named here with the reason why not', () => {
  const asking = ['api', 'commands', 'projections']
    .flatMap((layer) => readdirSync(layer, { recursive: true, encoding: 'utf8' }).map((file) => path.join(layer, file)))
    .filter((file) => file.endsWith('.ts') && /\brole [!=]== 'admin'/.test(readFileSync(file, 'utf8')));
  expect(asking.toSorted()).toEqual(Object.keys(asksForRole).toSorted());
});

it('a declaration for admins without a harm does not compile', () => {
  const spec = {
    id: 'getNothing',
    access: 'admin',
    summary: 'Get nothing',
    reply: Type.Null(),
    handle: () => null,
  } as const;
  // @ts-expect-error: it says no harm
  const declared = route('GET /api/v1/admin/nothing', spec);
  expect(says(declared)).toBe(false);
});
