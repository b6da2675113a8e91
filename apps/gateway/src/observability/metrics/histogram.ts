import { keyOf, labelsOf, type Metric, type MetricDescription, type Sample } from './metric.js';

export interface HistogramDescription<Label extends string> extends MetricDescription<Label> {
  /** Ascending. What is beyond the last is counted all the same. */
  readonly bounds: readonly number[];
}

interface Cell {
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
  readonly #cells = new Map<string, Cell>();

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

  #cellOf(values: readonly string[]): Cell {
    const key = keyOf(values);
    const known = this.#cells.get(key);
    if (known !== undefined) return known;
    const cell = { values, counts: new Float64Array(this.#bounds.length + 1), sum: 0 };
    this.#cells.set(key, cell);
    return cell;
  }

  #samplesOf({ values, counts, sum }: Cell): readonly Sample[] {
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
