import { describe, expect, it } from '@jest/globals';
import { type Metric, Registry } from '@prometheus-io/client';
import { gauge, gauges, readCounter, readCounters } from './metrics.js';

async function scrape(metric: Metric): Promise<string> {
  const registry = new Registry();
  registry.registerMetric(metric);
  await registry.metrics();
  return registry.metrics();
}

describe('metrics with a read function', () => {
  it('are read at every scrape', async () => {
    let value = 2;
    expect(await scrape(readCounter({ name: 'seen_total', help: 'Seen.' }, () => (value += 1)))).toBe('# HELP seen_total Seen.\n# TYPE seen_total counter\nseen_total 4\n');
    expect(await scrape(gauge({ name: 'open', help: 'Open.' }, () => (value -= 1)))).toBe('# HELP open Open.\n# TYPE open gauge\nopen 2\n');
  });

  it('have one sample per label value', async () => {
    const figures = { left: 1, right: 0 };
    expect(await scrape(gauges({ name: 'doors', help: 'Doors.' }, 'side', () => figures))).toBe('# HELP doors Doors.\n# TYPE doors gauge\ndoors{side="left"} 1\ndoors{side="right"} 0\n');
    expect(await scrape(readCounters({ name: 'passed_total', help: 'Passed.' }, 'side', () => figures))).toContain('passed_total{side="left"} 1\npassed_total{side="right"} 0\n');
  });

  it('have no sample without a value', async () => {
    expect(await scrape(gauge({ name: 'age', help: 'Age.' }, () => null))).toBe('# HELP age Age.\n# TYPE age gauge\n');
  });
});
