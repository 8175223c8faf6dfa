/** How alerts are told: to operators, to Prometheus and in the runbook. */
import { parts } from '../checks/parts.ts';
import { type Alert, alerts } from './alerts.ts';

/** What may happen and what to do. A check that fails has said so itself. */
export const adviceOn = (alert: Alert, about: string): Pick<Alert, 'mayHappen' | 'toDo'> =>
  (alert.name === 'CheckFails' ? parts.find(({ name }) => name === about) : undefined) ?? alert;

/** The label whose value says what an alert is about. */
const labelOf = ({ rule }: Alert): string | undefined => {
  if (rule.is === 'other')
    return /\bby \((\w+)\)/.exec(rule.expr)?.[1] ?? (rule.expr.startsWith('up') ? 'instance' : undefined);
  return rule.is === 'slow' ? undefined : rule.by;
};

/** The sentence with a value for each placeholder. */
export const wrongWith = (alert: Alert, { about, value }: { readonly about: string; readonly value: string }): string =>
  alert.wrong.replaceAll('{about}', about).replaceAll('{value}', value);

/** The sentence with the placeholders of Prometheus. */
export const summaryOf = (alert: Alert): string =>
  wrongWith(alert, { about: `{{ $labels.${labelOf(alert)} }}`, value: '{{ $value }}' });

const toldBy = { critical: 'mail and SMS', warning: 'mail' } as const;

/** The table of `docs/runbook.md`. A check compares the two. */
export const alertTable = (): string =>
  [
    '| alert | what is wrong | what may happen | operators are told by | after |',
    '|---|---|---|---|---|',
    ...(alerts as readonly Alert[]).map((alert) => {
      const wrong = wrongWith(alert, { about: '…', value: '…' });
      const after = alert.minutes === undefined ? 'at once' : `${alert.minutes} min`;
      return `| [${alert.name}](#${alert.name.toLowerCase()}) | ${wrong} | ${alert.mayHappen} | ${toldBy[alert.severity]} | ${after} |`;
    }),
  ].join('\n');
