/** What a process says of itself in `/health`. Each line names an alert, so that it has a section in the runbook. */
import { metrics } from '../infra/metrics.ts';
import type { AlertName } from './alerts/alerts.ts';

export interface HealthLine {
  readonly alert: AlertName;
  /** What it is about, in a few words that are always the same: it is a label of metrics. */
  readonly about: string;
  readonly text: string;
}

export const said = (alert: AlertName, about: string, texts: readonly string[]): HealthLine[] =>
  texts.map((text) => ({ alert, about, text }));

/** Sets the metric by which alerts know of the lines of this process. */
export const countLines = (lines: readonly HealthLine[]): void => {
  metrics.healthFaults.reset();
  for (const { alert, about } of lines) metrics.healthFaults.inc({ alert, about });
};
