/**
 * The passes of one purchase with their gates, policies and clock, step by step. All commands are real; the log is in
 * memory, and other acts happen inside a command, before it decides.
 */
import type { CommandContext } from '../../commands/core/handle.ts';
import type { JobChange } from '../../commands/core/jobChanges.ts';
import { giveDaysBack } from '../../commands/passes/closures.ts';
import { passIdOf } from '../../commands/passes/dividePurchase.ts';
import { issuePass } from '../../commands/passes/issuePass.ts';
import { passKeysOf } from '../../commands/passes/keys.ts';
import { passPolicy } from '../../commands/passes/policy.ts';
import { blockPass, giveBackPass, passParts, passRefund, unblockPass } from '../../commands/passes/refunds.ts';
import { type OfflineScan, recordScans, scanPass } from '../../commands/passes/scans.ts';
import { refundPayment } from '../../commands/payments/refunds.ts';
import { cancelPurchase } from '../../commands/purchases/cancelPurchase.ts';
import { purchasePayable } from '../../commands/purchases/payables.ts';
import { type AnyEvent, changedNothing, type Decider } from '../../domain/core/decider.ts';
import { DAY_MS, HOUR_MS, instantOf, MINUTE_MS } from '../../domain/core/instants.ts';
import { payment } from '../../domain/payments/payment.ts';
import { derivedId } from '../../infra/ids.ts';
import { GUEST, PAYMENT } from '../bookings/bookingFixtures.ts';
import { memoryAggregates } from '../kit/memoryAggregates.ts';
import { happened } from '../kit/projected.ts';
import { PURCHASE } from '../purchases/productFixtures.ts';
import { bought, PASSES, PRICE, paid } from './boughtPasses.ts';
import type { Act } from './passActs.ts';
import { moscow } from './passFixtures.ts';
import { assertCovered, assertSettled, assertSound, passOf } from './passSound.ts';

const passKeys = passKeysOf('a secret of specs that is long enough');

class Died extends Error {}

type Logged = { readonly stream: string; readonly event: AnyEvent; readonly at: string };

/** What happens in it is refused or done; `step` throws where days or money do not add up. */
export const createPassWorld = () => {
  let now = Date.parse(moscow(7, '20:00'));
  let count = 0;
  let meanwhile: Act[] = [];
  let isAlone = true;
  const log: Logged[] = [{ stream: `purchase-${PURCHASE}`, event: bought[1] as AnyEvent, at: moscow(7, '19:00') }];
  let handled = 0;
  const jobs = new Map<string, string>();
  const waiting: OfflineScan[] = [];
  const uploaded: OfflineScan[] = [];
  const asked: { scanId: string; code: string }[] = [];
  const codes = new Map<string, string>();
  const opened = new Map<string, { passId: string; at: number }>();

  const memory = memoryAggregates(async () => {
    const [act] = meanwhile.splice(0, 1);
    if (act) await perform(act, true);
  });
  memory.given(`purchase-${PURCHASE}`, bought);
  memory.given(`payment-${PAYMENT}`, paid);
  const aggregates = {
    ...memory,
    handle: async <S, C extends { readonly type: string }, E extends AnyEvent>(
      decider: Decider<S, C, E>,
      id: string,
      command: C,
      context: CommandContext,
    ) => {
      const outcome = await memory.handle(decider, id, command, context);
      for (const event of outcome.events) log.push({ stream: `${decider.category}-${id}`, event, at: context.at });
      return outcome;
    },
  };
  const contextFor = (role = 'tourist'): CommandContext => {
    count += 1;
    const commandId = derivedId('pass life', count);
    const at = instantOf(now);
    return {
      correlationId: commandId,
      causationId: commandId,
      commandId,
      actor: { kind: 'user', id: GUEST, role },
      ip: null,
      at,
    };
  };
  const pool = { query: async () => ({ rows: [] }) };
  const sink = {
    add: (change: JobChange) => {
      if (change.how === 'set' && change.kind === passRefund.kind) jobs.set(change.id, change.dueAt);
    },
  };
  // Without the provider, what the log says of the payment counts.
  const away = { paymentProviders: { byName: new Map() }, log: { warn: () => undefined } };
  const purchaseParts = { ski_pass: passParts };
  const ports = { aggregates, passKeys, pool, jobs: sink, purchaseParts, settings: {}, ...away };
  const payables = new Map([['purchase', { fields: [], ...purchasePayable.bind(ports as never) }]]);
  const deps = { ...ports, payables } as never;

  const shown = (which: number) => ({ gateId: `gate-${which}`, liftId: null, area: null });

  const ask = async (scan: { scanId: string; code: string }, which: number) => {
    const context = contextFor();
    const { opens, passId } = await scanPass(deps, context, { ...shown(which), ...scan });
    if (opens && passId) opened.set(scan.scanId, opened.get(scan.scanId) ?? { passId, at: Date.parse(context.at) });
  };
  const newScan = (): string => {
    count += 1;
    return derivedId('scan', count);
  };

  /** The policy handles the next event, or the one before again: it does so at least once. */
  const react = async (again: boolean) => {
    const index = again ? handled - 1 : handled;
    const logged = log[index];
    if (!logged) return;
    const [category = '', ...id] = logged.stream.split('-');
    const event = happened(category, id.join('-'), logged.event, logged.at);
    const context = { ...contextFor('system'), commandId: derivedId('policy', index) };
    await passPolicy.handlers.get(event.type)?.(event as never, { deps, context });
    if (logged.event.type === 'ChargedBack') {
      if (isAlone && !again) assertCovered(memory, logged.event.data as never, context.at);
      await payables.get('purchase')?.refunded?.(context, PAYMENT, { id: PURCHASE } as never);
    }
    handled = Math.max(handled, index + 1);
  };

  const doIt = async ({ act, which }: Act): Promise<unknown> => {
    const number = 1 + (which % PASSES);
    const passId = passIdOf(PURCHASE, number);
    const code = codes.get(passId);
    switch (act) {
      case 'issue': {
        const { code: text } = await issuePass(deps, contextFor(), { purchaseId: PURCHASE, number, deviceKey: null });
        return codes.set(passId, text);
      }
      case 'scan': {
        if (!code) return;
        const scan = { scanId: newScan(), code };
        await ask(scan, which);
        return asked.push(scan);
      }
      case 'scan_again': {
        const scan = asked[which % Math.max(1, asked.length)];
        return scan && ask(scan, which);
      }
      case 'pass_offline':
        if (!code) return;
        return waiting.push({
          ...shown(which),
          scanId: newScan(),
          code,
          scannedAt: instantOf(now),
          passed: which !== 7,
          reason: which === 7 ? 'blocked' : null,
        });
      case 'upload': {
        const scans = waiting.slice(0, 1 + which);
        if (scans.length === 0) return;
        const { at } = contextFor();
        await recordScans(deps, contextFor(), { deviceTime: at, scans });
        const told = new Set(scans);
        uploaded.push(...waiting.filter((scan) => told.has(scan)));
        return waiting.splice(0, waiting.length, ...waiting.filter((scan) => !told.has(scan)));
      }
      case 'upload_again': {
        const scans = uploaded.slice(0, 1 + which);
        const { at } = contextFor();
        return scans.length > 0 && recordScans(deps, contextFor(), { deviceTime: at, scans });
      }
      case 'give_back':
        return giveBackPass(deps, contextFor(which > 3 ? 'admin' : 'tourist'), passId, null);
      case 'cancel':
        return which === 0 && cancelPurchase(deps, contextFor(), PURCHASE, null);
      case 'refund_payment': {
        const amount = which === 0 ? {} : { amount: (which * PRICE) / 800 };
        return refundPayment(deps, contextFor('admin'), { paymentId: PAYMENT, ...amount });
      }
      case 'refund_fails': {
        const state = memory.stateOf(payment, PAYMENT);
        const [refundId] = Object.keys(state.status === 'none' ? {} : state.refunds).slice(-1 - which);
        const command = { type: 'ApplyRefundState', refundId: refundId ?? '', status: 'failed' } as const;
        return aggregates.handle(payment, PAYMENT, command, contextFor('system'));
      }
      case 'chargeback': {
        count += 1;
        const taken = { chargebackId: derivedId('chargeback', count), itemId: PURCHASE };
        const command = {
          type: 'RecordChargeback',
          ...taken,
          amountMinor: Math.floor(((1 + which) * PRICE) / 8),
        } as const;
        return aggregates.handle(payment, PAYMENT, command, contextFor('system'));
      }
      case 'policy':
        return react(which === 0);
      case 'job': {
        const due = [...jobs].find(([, dueAt]) => Date.parse(dueAt) <= now);
        if (!due) return;
        const again = await passRefund.run(
          { id: due[0], data: {}, attempt: 1 },
          { deps, context: contextFor('system') },
        );
        return again ? jobs.set(due[0], again.againAt) : jobs.delete(due[0]);
      }
      case 'close': {
        const date = `2026-03-${String(8 + (which % 5)).padStart(2, '0')}`;
        return giveDaysBack(deps, contextFor('admin'), { from: date, to: date, reason: 'storm' });
      }
      case 'block':
        return blockPass(deps, contextFor('admin'), passId, 'lost');
      case 'unblock':
        return unblockPass(deps, contextFor('admin'), passId);
      case 'minutes':
        now += (1 + which) * MINUTE_MS;
        return;
      case 'hours':
        now += (1 + which) * HOUR_MS;
        return;
      case 'day':
        now += DAY_MS;
        return;
      case 'die':
        throw new Died();
    }
  };
  const perform = async (act: Act, isInside = false): Promise<void> => {
    try {
      await doIt(act);
    } catch (error) {
      if (error instanceof Died && isInside) throw error;
      if (!(changedNothing(error) || error instanceof Died)) throw error;
    }
  };

  return {
    step: async ({ main, meanwhile: inside }: { main: Act; meanwhile: readonly Act[] }) => {
      meanwhile = [...inside];
      isAlone = inside.length === 0;
      await perform(main);
      meanwhile = [];
      isAlone = true;
      assertSound(memory, [...opened.values()]);
    },
    /** Policies, jobs and gates catch up, and an admin refunds what the provider did not. */
    settle: async () => {
      for (let rounds = 0; rounds < 3; rounds += 1) {
        while (waiting.length > 0) await perform({ act: 'upload', which: 7 });
        for (let more = 0; more <= log.length + 1; more += 1) await react(false);
        now += 25 * HOUR_MS;
        for (const _ of [...jobs]) await perform({ act: 'job', which: 0 });
      }
      await perform({ act: 'refund_payment', which: 0 });
      assertSound(memory, [...opened.values()]);
      assertSettled(memory);
    },
    stateOf: (number: number) => passOf(memory, number),
  };
};
