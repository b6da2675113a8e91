/** One figure of a metric. */
export interface Sample {
  /** What the metric's name is followed by: `_bucket`, `_sum`, `_count`, or nothing. */
  readonly suffix: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Something measured, as it is told to whoever collects it. */
export interface Metric {
  /** By Prometheus's conventions: base units, `_total` for what only grows. */
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** Looked at only when somebody collects. */
  samples(): readonly Sample[];
}

/** What a metric is declared with. Every label must have few values that are known beforehand: each combination is kept for good. */
export interface MetricDescription<Label extends string> {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly Label[];
}

const SEPARATOR = '\n';

/** Names one combination of label values. */
export function keyOf(values: readonly string[]): string {
  return values.length === 1 ? values[0] ?? '' : values.join(SEPARATOR);
}

export function labelsOf(names: readonly string[], values: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name, position) => [name, values[position] ?? '']));
}
