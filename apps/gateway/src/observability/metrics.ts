/** One figure of a metric. */
interface Sample {
  /** What the metric's name is followed by: `_bucket`, `_sum`, `_count`, or nothing. */
  readonly suffix: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A metric, as a scrape reads it. */
export interface Metric {
  /** By Prometheus's conventions: base units, `_total` for what only grows. */
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** Read at each scrape only. */
  samples(): readonly Sample[];
}

/** What a metric is declared with. Every label must have few values that are known beforehand: each combination is kept for good. */
interface MetricDescription<Label extends string> {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly Label[];
}

const SEPARATOR = '\n';

/** Names one combination of label values. */
function keyOf(values: readonly string[]): string {
  return values.length === 1 ? values[0] ?? '' : values.join(SEPARATOR);
}

function labelsOf(names: readonly string[], values: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name, position) => [name, values[position] ?? '']));
}

interface CounterCell {
  readonly values: readonly string[];
  sum: number;
}

/** What only grows, by labels. Adding costs one look-up. */
export class Counter<Label extends string = never> implements Metric {
  readonly type = 'counter';
  readonly name: string;
  readonly help: string;
  readonly #names: readonly Label[];
  readonly #cells = new Map<string, CounterCell>();

  constructor({ name, help, labels }: MetricDescription<Label>) {
    this.name = name;
    this.help = help;
    this.#names = labels;
    // Without labels there is one figure, which is there from the start.
    if (labels.length === 0) this.add(0);
  }

  /** The label values come in the order of the labels' declaration. */
  add(amount: number, ...values: readonly string[]): void {
    const key = keyOf(values);
    const cell = this.#cells.get(key);
    if (cell === undefined) this.#cells.set(key, { values, sum: amount });
    else cell.sum += amount;
  }

  samples(): readonly Sample[] {
    return [...this.#cells.values()].map(({ values, sum }) => ({ suffix: '', labels: labelsOf(this.#names, values), value: sum }));
  }
}

interface GaugeDescription {
  readonly name: string;
  readonly help: string;
}

/** A gauge, read at each scrape. It is left out while `read` returns `null`. */
export function gauge({ name, help }: GaugeDescription, read: () => number | null): Metric {
  return { name, help, type: 'gauge', samples: () => samplesOf(read()) };
}

/** A counter that is kept elsewhere and read at each scrape. */
export function readCounter({ name, help }: GaugeDescription, read: () => number): Metric {
  return { name, help, type: 'counter', samples: () => samplesOf(read()) };
}

function samplesOf(value: number | null): readonly Sample[] {
  return value === null ? [] : [{ suffix: '', labels: {}, value }];
}

interface HistogramDescription<Label extends string> extends MetricDescription<Label> {
  /** Ascending. What is beyond the last is counted all the same. */
  readonly bounds: readonly number[];
}

interface HistogramCell {
  readonly values: readonly string[];
  /** How many were within each bound and not within the one before; the last place is for what is beyond. */
  readonly counts: Float64Array;
  sum: number;
}

/** How values are spread, by labels. Observing costs one look-up and a walk over the bounds. */
export class Histogram<Label extends string = never> implements Metric {
  readonly type = 'histogram';
  readonly name: string;
  readonly help: string;
  readonly #names: readonly Label[];
  readonly #bounds: readonly number[];
  readonly #cells = new Map<string, HistogramCell>();

  constructor({ name, help, labels, bounds }: HistogramDescription<Label>) {
    this.name = name;
    this.help = help;
    this.#names = labels;
    this.#bounds = bounds;
  }

  /** The label values come in the order of the labels' declaration. */
  observe(value: number, ...values: readonly string[]): void {
    const cell = this.#cellOf(values);
    const within = this.#bounds.findIndex((bound) => value <= bound);
    const place = within < 0 ? this.#bounds.length : within;
    cell.counts[place] = (cell.counts[place] ?? 0) + 1;
    cell.sum += value;
  }

  samples(): readonly Sample[] {
    return [...this.#cells.values()].flatMap((cell) => this.#samplesOf(cell));
  }

  #cellOf(values: readonly string[]): HistogramCell {
    const key = keyOf(values);
    const known = this.#cells.get(key);
    if (known !== undefined) return known;
    const cell = { values, counts: new Float64Array(this.#bounds.length + 1), sum: 0 };
    this.#cells.set(key, cell);
    return cell;
  }

  #samplesOf({ values, counts, sum }: HistogramCell): readonly Sample[] {
    const labels = labelsOf(this.#names, values);
    const bounds = [...this.#bounds.map(String), '+Inf'];
    let total = 0;
    const buckets = bounds.map((le, place) => {
      total += counts[place] ?? 0;
      return { suffix: '_bucket', labels: { ...labels, le }, value: total };
    });
    return [...buckets, { suffix: '_sum', labels, value: sum }, { suffix: '_count', labels, value: total }];
  }
}

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
