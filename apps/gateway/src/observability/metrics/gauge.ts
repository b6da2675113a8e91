import type { Metric, Sample } from './metric.js';

export interface GaugeDescription {
  readonly name: string;
  readonly help: string;
}

/** Something that goes up and down, read when somebody collects. While `read` answers `null`, there is nothing to tell. */
export function gauge({ name, help }: GaugeDescription, read: () => number | null): Metric {
  return { name, help, type: 'gauge', samples: () => samplesOf(read()) };
}

/** A figure kept elsewhere that only grows, read when somebody collects. */
export function readCounter({ name, help }: GaugeDescription, read: () => number): Metric {
  return { name, help, type: 'counter', samples: () => samplesOf(read()) };
}

function samplesOf(value: number | null): readonly Sample[] {
  return value === null ? [] : [{ suffix: '', labels: {}, value }];
}
