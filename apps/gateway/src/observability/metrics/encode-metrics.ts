import type { Metric, Sample } from './metric.js';

/** The text form that Prometheus reads, version 0.0.4. */
export const METRICS_CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '"': '\\"', '\n': '\\n' };

function encodeLabels(labels: Sample['labels']): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${value.replaceAll(/[\\"\n]/g, (found) => ESCAPES[found] ?? found)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function encodeMetric(metric: Metric): string {
  const { name, help, type } = metric;
  const samples = metric.samples().map(({ suffix, labels, value }) => `${name}${suffix}${encodeLabels(labels)} ${value}\n`);
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${samples.join('')}`;
}

/** All metrics as they stand now. */
export function encodeMetrics(metrics: readonly Metric[]): string {
  return metrics.map(encodeMetric).join('');
}
