/** The rules and the dashboard for those who watch the system, compared with what there is to watch. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { registry } from '../../infra/metrics.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const FOLDER = path.join(ROOT, 'ops/monitoring');
const read = (file: string) => readFileSync(path.join(FOLDER, file), 'utf8');

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
}
const alerts: readonly Alert[] = parse(read('alerts.yml')).groups.flatMap(({ rules }: { rules: Alert[] }) => rules);

/** Prometheus knows it of each process. */
const OF_PROMETHEUS = ['up'];
const known = async (): Promise<ReadonlySet<string>> => {
  const ofProcess = new Registry();
  collectDefaultMetrics({ register: ofProcess });
  const all = [...(await registry.getMetricsAsJSON()), ...(await ofProcess.getMetricsAsJSON())];
  const names = all.flatMap(({ name, type }) =>
    String(type) === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
  );
  return new Set([...OF_PROMETHEUS, ...names]);
};
/** Names that stand where PromQL has a metric: before a label, a range, a comparison or the end of its function. */
const metricsIn = (expr: string): string[] =>
  expr
    .replaceAll(/\{[^}]*\}|\[[^\]]*\]|"[^"]*"/g, ' ')
    .replaceAll(/\b(by|without)\s*\([^)]*\)/g, ' ')
    .match(/\b[a-z_][a-z0-9_]*\b(?!\s*\()/gi)
    ?.filter((word) => word.includes('_') || OF_PROMETHEUS.includes(word)) ?? [];

it.each(alerts)('$alert watches what exists, and the runbook says what to do', async ({ alert, expr, ...told }) => {
  const names = metricsIn(expr);
  expect(names.length).toBeGreaterThan(0);
  const there = await known();
  expect(names.filter((name) => !there.has(name))).toEqual([]);
  expect(told.labels.severity).toMatch(/^(critical|warning)$/);
  expect(told.annotations.runbook).toBe(`docs/runbook.md#${alert.toLowerCase()}`);
});

it('the runbook has a section for each alert, and no other', () => {
  const sections = readFileSync(path.join(ROOT, 'docs/runbook.md'), 'utf8').match(/(?<=^## ).*$/gm);
  expect(sections).toEqual(alerts.map(({ alert }) => alert));
});

it('the dashboard shows what exists', async () => {
  const { panels } = JSON.parse(read('dashboard.json')) as { panels: { targets: { expr: string }[] }[] };
  const there = await known();
  const shown = panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => metricsIn(expr)));
  expect(shown.length).toBeGreaterThan(panels.length);
  expect(shown.filter((name) => !there.has(name))).toEqual([]);
});

const hasPromtool = spawnSync('promtool', ['--version']).status === 0;
if (!hasPromtool) process.stderr.write('promtool is not installed here: the rules for Prometheus are not run\n');
it.skipIf(!hasPromtool)('Prometheus tells what the rules promise', () => {
  for (const args of [
    ['check', 'config', 'prometheus.yml'],
    ['test', 'rules', 'alerts.test.yml'],
  ])
    execFileSync('promtool', args, { cwd: FOLDER });
});
