/** The rules and the dashboard for those who watch the system, compared with what there is to watch. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { stringify } from 'yaml';
import { registry } from '../../infra/metrics.ts';
import { type Alert, alerts as declared, sectionOf } from '../../ops/alerts/alerts.ts';
import { expressionOf } from '../../ops/alerts/rule.ts';
import { summaryOf } from '../../ops/alerts/texts.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const FOLDER = path.join(ROOT, 'ops/monitoring');
const read = (file: string) => readFileSync(path.join(FOLDER, file), 'utf8');

const alerts: readonly Alert[] = declared;

/** The rules for Prometheus. */
const rules = (): string => {
  const group = {
    name: 'resort',
    rules: alerts.map((alert) => ({
      alert: alert.name,
      expr: expressionOf(alert.rule),
      ...(alert.minutes !== undefined && { for: `${alert.minutes}m` }),
      labels: { severity: alert.severity },
      annotations: {
        summary: summaryOf(alert),
        what_may_happen: alert.mayHappen,
        what_to_do: alert.toDo,
        runbook: sectionOf(alert.name),
      },
    })),
  };
  const head =
    '# Rules for Prometheus, made of ops/alerts/alerts.ts. Each alert has its section in docs/runbook.md, by its name.';
  return `${head}\n${stringify({ groups: [group] }, { lineWidth: 0 })}`;
};

it('the rules for Prometheus are those that are declared (UPDATE_GOLDEN=1 writes them)', () => {
  if (process.env.UPDATE_GOLDEN) writeFileSync(path.join(FOLDER, 'alerts.yml'), rules());
  expect(read('alerts.yml')).toBe(rules());
});

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

it.each(alerts)('$name watches what exists, and says what it is about', async (alert) => {
  const names = metricsIn(expressionOf(alert.rule));
  expect(names.length).toBeGreaterThan(0);
  const there = await known();
  expect(names.filter((name) => !there.has(name))).toEqual([]);
  expect(summaryOf(alert)).not.toMatch(/undefined|\{(about|value)\}/);
  for (const text of [alert.mayHappen, alert.toDo]) expect(text).not.toMatch(/\.$|[{}]/);
});

it('the runbook has a section for each alert, and no other', () => {
  const sections = readFileSync(path.join(ROOT, 'docs/runbook.md'), 'utf8').match(/(?<=^## ).*$/gm);
  expect(sections).toEqual(alerts.map(({ name }) => name));
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
