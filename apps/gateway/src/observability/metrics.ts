import { Counter, Gauge, type Metric } from '@prometheus-io/client';

/** A metric, whatever the names of its labels. */
export type AnyMetric = Metric<string>;

interface Description {
  /** By Prometheus's conventions: base units, `_total` for counters. */
  readonly name: string;
  readonly help: string;
}

/** The metrics server registers them: each gateway of a process has its own registry. */
export const UNREGISTERED = { registers: [] };

/** Read at each scrape; no sample for `null`. */
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

/** Read at each scrape. */
export function readCounter(description: Description, read: () => number): Counter {
  return new Counter({
    ...description, ...UNREGISTERED,
    collect() {
      this.reset();
      this.inc(read());
    },
  });
}

/** By label value. */
type Figures = Readonly<Record<string, number>>;

/** One sample per figure. */
export function gauges(description: Description, label: string, read: () => Figures): Gauge<string> {
  return new Gauge({
    ...description, ...UNREGISTERED, labelNames: [label],
    collect() {
      for (const [value, figure] of Object.entries(read())) this.set({ [label]: value }, figure);
    },
  });
}

/** One sample per figure. */
export function readCounters(description: Description, label: string, read: () => Figures): Counter<string> {
  return new Counter({
    ...description, ...UNREGISTERED, labelNames: [label],
    collect() {
      this.reset();
      for (const [value, figure] of Object.entries(read())) this.inc({ [label]: value }, figure);
    },
  });
}
