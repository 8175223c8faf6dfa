/** A pass in replies to commands: what its stream says, without personal data. */
import { type Static, Type } from '@sinclair/typebox';
import { codeProblems } from '../../commands/passes/codes.ts';
import type { Answer } from '../../commands/passes/scans.ts';
import { toMajor } from '../../domain/core/money.ts';
import { Nullable, OneOf } from '../../domain/core/schema.ts';
import { unitsLeft, validUntil } from '../../domain/passes/admission.ts';
import type { ClosedDate } from '../../domain/passes/closures.ts';
import type { OpenPass } from '../../domain/passes/pass.ts';
import { passReasons } from '../../domain/passes/refusalReasons.ts';
import { toSnake } from '../../infra/naming.ts';
import { SkiPass } from '../../projections/passes/passes.ts';

const { id, purchase_id, number, tariff_name, age_group, unit, count, areas, serial, is_printed } = SkiPass.properties;
const { valid_from, valid_until, days, units_left } = SkiPass.properties;

export const PassNow = Type.Object(
  {
    ...{ id, purchase_id, number, tariff_name, age_group, unit, count, areas, serial, is_printed },
    ...{ valid_from, valid_until, days, units_left },
    is_blocked: Type.Boolean(),
    is_given_back: Type.Boolean({ description: 'It opens no gate any more.' }),
  },
  { $id: 'SkiPassNow' },
);

export const passNow = (passId: string, pass: OpenPass, closed: readonly ClosedDate[]): Static<typeof PassNow> => {
  const { purchaseId, number, tariffName, ageGroup, unit, count, areas, serial, validFrom, days } = pass;
  return {
    id: passId,
    ...toSnake({ purchaseId, number, tariffName, ageGroup, unit, count, areas, serial, validFrom, days }),
    is_printed: serial > 0 && pass.deviceKey === null,
    valid_until: validUntil(pass, closed),
    units_left: unitsLeft(pass, closed),
    is_blocked: pass.blocked,
    is_given_back: pass.ended !== null,
  };
};

/** What goes back for a pass, in its currency. */
export const Refund = Type.Object({
  units: Type.Integer({ minimum: 0, description: 'Unused days; 1 for hours and seasons that were not begun.' }),
  refund: Type.Number(),
  refund_minor: Type.Integer(),
  currency: Type.String(),
});
export const refundWire = (units: number, minor: number, currency: string): Static<typeof Refund> => ({
  units,
  refund: toMajor(minor, currency),
  refund_minor: minor,
  currency,
});

/** Whether a gate would open, or has opened. */
export const Verdict = Type.Object(
  {
    opens: Type.Boolean(),
    reason: Nullable(OneOf([...passReasons, ...codeProblems])),
    detail: Nullable(Type.String({ description: 'What the guest can do.' })),
    pass: Nullable(PassNow),
  },
  { $id: 'SkiPassVerdict' },
);
export const verdictWire = ({ opens, reason, detail, passId, pass, closed }: Answer): Static<typeof Verdict> => ({
  opens,
  reason,
  detail,
  pass: passId !== null && pass !== null ? passNow(passId, pass, closed) : null,
});
