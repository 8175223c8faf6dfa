/** The statement of a month: what its lines add up to, whatever happened before and after. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Recorded } from '../../domain/core/decider.ts';
import { HOUR_MS, instantOf } from '../../domain/core/instants.ts';
import { statementBetween } from '../../domain/ledger/monthlyStatement.ts';
import type { OwnerAccountEvent } from '../../domain/ledger/ownerAccount.ts';

const [FROM, TO] = ['2027-01-31T21:00:00.000Z', '2027-02-28T21:00:00.000Z'];
const START = Date.parse('2027-01-25T00:00:00Z');
const types = [
  'OwnerCredited',
  'OwnerDebited',
  'PayoutRequested',
  'PayoutFailed',
  'PayoutPaid',
  'RefundReserved',
  'RefundReservationEnded',
] as const;
const SIGN = {
  OwnerCredited: 1,
  OwnerDebited: -1,
  PayoutRequested: -1,
  PayoutFailed: 1,
  PayoutPaid: 0,
  RefundReserved: 0,
  RefundReservationEnded: 0,
};
const NAME = {
  OwnerCredited: 'credited',
  OwnerDebited: 'debited',
  PayoutRequested: 'payout',
  PayoutFailed: 'payout_failed',
} as const;

interface Happened {
  readonly type: (typeof types)[number];
  readonly amountMinor: number;
  /** Hours after the start. */
  readonly hour: number;
  /** How many hours later the account was told of what payments have released or taken back. */
  readonly told: number;
}
const hoursTo = (instant: string): number => (Date.parse(instant) - START) / HOUR_MS;
const happened: fc.Arbitrary<Happened> = fc.record({
  type: fc.constantFrom(...types),
  amountMinor: fc.integer({ min: 1, max: 1_000_000 }),
  hour: fc.oneof(fc.integer({ min: 0, max: 24 * 45 }), fc.constantFrom(hoursTo(FROM), hoursTo(TO))),
  told: fc.nat(48),
});
const at = (hour: number): string => instantOf(START + hour * HOUR_MS);
const isOfPayment = ({ type }: Happened): boolean => type === 'OwnerCredited' || type === 'OwnerDebited';
const recordedHour = (each: Happened): number => each.hour + (isOfPayment(each) ? each.told : 0);
const eventOf = (each: Happened) => {
  const { type, amountMinor, hour } = each;
  const data = { amountMinor, ...(isOfPayment(each) && { causedAt: at(hour) }) };
  return { type, at: at(recordedHour(each)), data } as unknown as Recorded<OwnerAccountEvent>;
};

it('has exactly the movements of the month, and balances that follow from each other', () => {
  fc.assert(
    fc.property(fc.array(happened, { maxLength: 40 }), fc.integer(), (all, before) => {
      const inOrder = all.toSorted((a, b) => a.hour - b.hour);
      const sum = (given: readonly Happened[]) =>
        given.reduce((minor, { type, amountMinor }) => minor + SIGN[type] * amountMinor, before);
      const balance = sum(inOrder);
      const newestFirst = all.toSorted((a, b) => recordedHour(b) - recordedHour(a)).map(eventOf);
      const { openingMinor, closingMinor, lines } = statementBetween({ from: FROM, to: TO }, balance, newestFirst);
      const earlier = inOrder.filter(({ hour }) => at(hour) < FROM);
      const within = inOrder.filter(({ hour }) => at(hour) >= FROM && at(hour) < TO);
      expect(openingMinor).toBe(sum(earlier));
      expect(closingMinor).toBe(sum([...earlier, ...within]));
      const moved = within.flatMap(({ type, hour, amountMinor }) =>
        type in NAME ? [`${at(hour)} ${NAME[type as keyof typeof NAME]} ${SIGN[type] * amountMinor}`] : [],
      );
      expect(lines.map((line) => `${line.at} ${line.type} ${line.amountMinor}`).toSorted()).toEqual(moved.toSorted());
      expect(lines.map((line) => line.at)).toEqual(lines.map((line) => line.at).toSorted());
      let expected = openingMinor;
      for (const { amountMinor, balanceMinor } of lines) {
        expected += amountMinor;
        expect(balanceMinor).toBe(expected);
      }
      expect(expected).toBe(closingMinor);
    }),
  );
});

it('counts what was released in the last second of a month in that month', () => {
  const released = {
    type: 'OwnerCredited',
    at: '2027-02-28T21:00:02.000Z',
    data: { amountMinor: 500, causedAt: '2027-02-28T20:59:59.000Z' },
  };
  const { lines } = statementBetween({ from: FROM, to: TO }, 500, [released as unknown as Recorded<OwnerAccountEvent>]);
  expect(lines).toEqual([{ at: released.data.causedAt, type: 'credited', amountMinor: 500, balanceMinor: 500 }]);
});
