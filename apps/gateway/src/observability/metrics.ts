import { Counter, Gauge, type Metric } from '@prometheus-io/client';

/** A metric, whatever the names of its labels. */
export type AnyMetric = Metric<string>;

interface Description {
  /** Named by Prometheus's conventions: base units, and `_total` for counters. */
  readonly name: string;
  readonly help: string;
}

/** Option of a metric that no registry contains yet: the metrics server of each gateway has its own registry. */
export const UNREGISTERED = { registers: [] };

/** A gauge that is read at each scrape; no sample for `null`. */
export function gauge(description: Description, read: () => number | null): Gauge {
  return new Gauge({
    ...description, ...UNREGISTERED,
    collect() {
      const value = read();
      if (value === null) this.remove();
      else this.set(value);
    },
  });
}

/** A counter that is read at each scrape. */
export function readCounter(description: Description, read: () => number): Counter {
  return new Counter({
    ...description, ...UNREGISTERED,
    collect() {
      this.reset();
      this.inc(read());
    },
  });
}

/** Value of each sample, by its label. */
type Figures = Readonly<Record<string, number>>;

/** A gauge with one sample per label value. */
export function gauges(description: Description, label: string, read: () => Figures): Gauge<string> {
  return new Gauge({
    ...description, ...UNREGISTERED, labelNames: [label],
    collect() {
      for (const [value, figure] of Object.entries(read())) this.set({ [label]: value }, figure);
    },
  });
}

/** A counter with one sample per label value. */
export function readCounters(description: Description, label: string, read: () => Figures): Counter<string> {
  return new Counter({
    ...description, ...UNREGISTERED, labelNames: [label],
    collect() {
      this.reset();
      for (const [value, figure] of Object.entries(read())) this.inc({ [label]: value }, figure);
    },
  });
}
