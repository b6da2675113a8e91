import { Counter, Gauge, type Metric } from '@prometheus-io/client';

/** Whatever its labels. */
export type AnyMetric = Metric<string>;

interface Description {
  /** By Prometheus's conventions: base units, `_total` for what only grows. */
  readonly name: string;
  readonly help: string;
}

/** The server that offers metrics registers them: each gateway of a process has its own registry. */
export const UNREGISTERED = { registers: [] };

/** A gauge, read at each scrape. It has no sample while `read` returns `null`. */
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

/** A counter that is kept elsewhere and read at each scrape. */
export function readCounter(description: Description, read: () => number): Counter {
  return new Counter({
    ...description, ...UNREGISTERED,
    collect() {
      this.reset();
      this.inc(read());
    },
  });
}

/** Figures by the value of one label, kept elsewhere and read at each scrape. */
type Figures = Readonly<Record<string, number>>;

/** As `gauge`, with one sample per figure. */
export function gauges(description: Description, label: string, read: () => Figures): Gauge<string> {
  return new Gauge({
    ...description, ...UNREGISTERED, labelNames: [label],
    collect() {
      for (const [value, figure] of Object.entries(read())) this.set({ [label]: value }, figure);
    },
  });
}

/** As `readCounter`, with one sample per figure. */
export function readCounters(description: Description, label: string, read: () => Figures): Counter<string> {
  return new Counter({
    ...description, ...UNREGISTERED, labelNames: [label],
    collect() {
      this.reset();
      for (const [value, figure] of Object.entries(read())) this.inc({ [label]: value }, figure);
    },
  });
}
