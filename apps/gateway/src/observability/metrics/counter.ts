import { keyOf, labelsOf, type Metric, type MetricDescription, type Sample } from './metric.js';

interface Cell {
  readonly values: readonly string[];
  sum: number;
}

/** What only grows, by labels. Adding costs one look-up. */
export class Counter<Label extends string = never> implements Metric {
  readonly type = 'counter';
  readonly name: string;
  readonly help: string;
  readonly #names: readonly Label[];
  readonly #cells = new Map<string, Cell>();

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
