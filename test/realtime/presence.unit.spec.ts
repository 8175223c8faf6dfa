/** Who is online where several hubs serve one channel. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Ephemeral } from '../../projections/engine/ephemeral.ts';
import { createPresence } from '../../realtime/hub/presence.ts';
import type { Present } from '../../realtime/hub/presenceRoom.ts';

const SECOND = 1_000;
const CHANNEL = 'thread_x';

/** Hubs that hear each other unless one was killed or cut off. */
const stage = (count: number) => {
  let now = Date.UTC(2026, 0, 1);
  const deaf = new Set<number>();
  const dead = new Set<number>();
  /** What each hub told its subscribers: `[who, type]`. */
  const told: [string, string][][] = Array.from({ length: count }, () => []);
  const wire: { from: number; message: Ephemeral }[] = [];
  const hubs = told.map((heardHere, n) =>
    createPresence({
      relay: (message) => void wire.push({ from: n, message }),
      tell: ({ from, type }) => void heardHere.push([from, type]),
      now: () => now,
    }),
  );
  const deliver = (): void => {
    for (let next = wire.shift(); next; next = wire.shift())
      for (const [n, hub] of hubs.entries())
        if (!dead.has(next.from) && !dead.has(n) && !deaf.has(n)) hub.heard(next.message);
  };
  return {
    told,
    deaf,
    kill: (n: number) => void dead.add(n),
    hub: (n: number) => hubs[n] as (typeof hubs)[number],
    deliver,
    pass: (seconds: number) => {
      for (let n = 0; n < seconds; n += 1) {
        now += SECOND;
        for (const [m, hub] of hubs.entries()) if (!dead.has(m)) hub.tick();
        deliver();
      }
    },
    /** Somebody subscribes at hub `n`; `heard` is what this subscription alone is told. */
    subscribe: (n: number, accountId: string) => {
      const heard: [string, string][] = [];
      const subscription: Present = {
        canonical: CHANNEL,
        accountId,
        tell: ({ from, type }) => void heard.push([from, type]),
      };
      hubs[n]?.enter(subscription);
      deliver();
      return { heard, leave: () => hubs[n]?.leave(subscription), again: () => hubs[n]?.enter(subscription) };
    },
  };
};

const [anna, boris] = [randomUUID(), randomUUID()] as [string, string];
/** Anna leaves hub 1 while hub 0, where Boris is, hears nothing. @returns somebody who stays at hub 1 */
const leaveUnheard = ({ subscribe, deaf, pass }: ReturnType<typeof stage>): string => {
  subscribe(0, boris);
  const leaving = subscribe(1, anna);
  const staying = randomUUID();
  subscribe(1, staying);
  deaf.add(0);
  leaving.leave();
  pass(15);
  deaf.clear();
  return staying;
};
const online = (who: string) => [who, 'presence.online'];
const offline = (who: string) => [who, 'presence.offline'];

describe('presence', () => {
  test('tells who is there already, and the others who came, at every hub', () => {
    const { subscribe, told } = stage(2);
    subscribe(0, anna);
    const second = subscribe(0, boris);
    expect(second.heard).toEqual([online(anna)]);
    expect(told).toEqual([[online(anna), online(boris)], []]);
    subscribe(1, randomUUID());
    expect(told[1]).toEqual(expect.arrayContaining([online(anna), online(boris)]));
  });

  test('tells of a person once, however many devices and hubs they use', () => {
    const { subscribe, told, pass } = stage(2);
    const devices = [subscribe(0, anna), subscribe(0, anna), subscribe(1, anna)];
    devices[0]?.again();
    const ofAnna = () => told.map((all) => all.filter(([who]) => who === anna));
    expect(ofAnna()).toEqual([[online(anna)], [online(anna)]]);
    devices[0]?.leave();
    devices[2]?.leave();
    pass(30);
    expect(ofAnna()[0]).toEqual([online(anna)]);
    devices[1]?.leave();
    pass(11);
    expect(ofAnna()[0]).toEqual([online(anna), offline(anna)]);
  });

  test('says offline after ten seconds, unless they come back, to any hub', () => {
    const { subscribe, told, pass } = stage(2);
    subscribe(0, boris);
    const first = subscribe(0, anna);
    first.leave();
    pass(5);
    const back = subscribe(1, anna);
    pass(30);
    expect(told[0]).toEqual([online(boris), online(anna)]);
    back.leave();
    pass(9);
    expect(told[0]).not.toContainEqual(offline(anna));
    pass(2);
    expect(told[0]?.at(-1)).toEqual(offline(anna));
  });

  test('says offline for the people of a hub that three times did not say that it is alive', () => {
    const { subscribe, told, pass, kill } = stage(3);
    subscribe(0, boris);
    subscribe(1, anna);
    subscribe(2, randomUUID());
    pass(100);
    expect(told[0]?.some(([, type]) => type === 'presence.offline')).toBe(false);
    kill(1);
    pass(59);
    expect(told[0]).not.toContainEqual(offline(anna));
    pass(37);
    expect(told[0]?.at(-1)).toEqual(offline(anna));
    expect(told[2]?.at(-1)).toEqual(offline(anna));
  });

  test('asks again after messages of other hubs were lost', () => {
    const { subscribe, told, deaf, hub, deliver } = stage(2);
    subscribe(0, boris);
    deaf.add(0);
    subscribe(1, anna);
    expect(told[0]).toEqual([online(boris)]);
    deaf.clear();
    hub(0).askAgain();
    deliver();
    expect(told[0]).toEqual([online(boris), online(anna)]);
  });

  test('lets go of whoever left while messages were lost, and of nobody else', () => {
    const staged = stage(2);
    const { told, hub, deliver, pass } = staged;
    const staying = leaveUnheard(staged);
    hub(0).askAgain();
    deliver();
    pass(45);
    expect(told[0]).toEqual([online(boris), online(anna), online(staying), offline(anna)]);
  });

  test('keeps the people of a hub that could not hear either, and lets go of whoever left meanwhile', () => {
    const { subscribe, told, deaf, hub, deliver, pass } = stage(2);
    subscribe(0, boris);
    subscribe(1, anna);
    const leaving = subscribe(1, randomUUID());
    for (const n of [0, 1]) deaf.add(n);
    leaving.leave();
    pass(15);
    // As after a restart of the database: one of them listens again earlier, and the other one misses its question.
    for (const n of [0, 1]) {
      deaf.delete(n);
      hub(n).askAgain();
      deliver();
      pass(5);
    }
    pass(45);
    expect(told[0]?.slice(0, 2)).toEqual([online(boris), online(anna)]);
    expect(told[0]?.slice(3).map(([who, type]) => [who === anna, type])).toEqual([[false, 'presence.offline']]);
    expect(told[1]).not.toContainEqual(offline(boris));
  });

  test('learns again of a hub that it had given up, though it does not know that messages were lost', () => {
    const { subscribe, told, deaf, pass } = stage(2);
    subscribe(0, boris);
    subscribe(1, anna);
    deaf.add(0);
    pass(120);
    deaf.clear();
    expect(told[0]?.at(-1)).toEqual(offline(anna));
    pass(300);
    expect(told[0]?.at(-1)).toEqual(online(anna));
  });

  test('does not show for ever who left in a message that was lost', () => {
    const staged = stage(2);
    const { told, pass } = staged;
    const staying = leaveUnheard(staged);
    pass(320);
    expect(told[0]).toEqual([online(boris), online(anna), online(staying), offline(anna)]);
  });

  test('repeats who is there to a subscription that was interrupted', () => {
    const { subscribe } = stage(1);
    subscribe(0, anna);
    const second = subscribe(0, boris);
    second.again();
    expect(second.heard).toEqual([online(anna), online(anna)]);
  });

  test('ignores what no hub says', () => {
    const { hub, told } = stage(1);
    for (const data of [{}, { came: 1 }, { came: [[CHANNEL, ['nobody']]], left: [], asks: [] }])
      hub(0).heard({ channel: 'presence', type: 'presence.hub', from: randomUUID(), ts: '2026-01-01T00:00:00Z', data });
    expect(told).toEqual([[]]);
  });
});
