import type { JsonObject, JsonValue } from '../json.js';
import type { ItemPlace } from './item-places.js';
import { type JsonPiece, JsonPieces, PieceJoiner } from './json-pieces.js';
import { isFoundIn, keysOf } from './found-in.js';
import type { TextPrinter } from './written-texts.js';

/** Members of a written list that are looked at for one that is printed: some may not be sent on. */
const MOST_CANDIDATES = 8;

/** How the members of a list were written. */
export class WrittenItems {
  /** `values` are what the members were parsed to, each beside its place; `cut` gives the text from one position to another. */
  constructor(
    private readonly values: readonly unknown[],
    private readonly places: readonly ItemPlace[],
    private readonly cut: (from: number, to: number) => JsonPiece,
  ) {}

  get count(): number {
    return this.values.length;
  }

  /**
   * Whether a member says what a value of so many keys says, and nothing else, which would be written with more of them. So would a key
   * that is there twice, of which somebody else might take the other value.
   */
  says(index: number, value: JsonValue, keys: number): boolean {
    return this.places[index]?.keys === keys && isFoundIn(this.values[index], value);
  }

  /** The text of members that follow each other. */
  textOf({ start, end }: Run): JsonPiece {
    const [first, last] = [this.places[start], this.places[end - 1]];
    return this.cut((first as ItemPlace).start, (last as ItemPlace).end);
  }
}

/** Written members from one to before another. */
class Run {
  constructor(readonly start: number, public end: number) {}
}

/** Prints lists of objects: those that are written already as they were, in one piece where they follow each other. */
export class ItemPrinter {
  #next = 0;

  constructor(private readonly written: WrittenItems | null, private readonly texts: TextPrinter) {}

  print(items: readonly JsonObject[]): JsonPieces {
    const { written, texts } = this;
    if (written === null) return new JsonPieces([texts.printValue(items)]);
    const joiner = new PieceJoiner();
    joiner.add('[');
    for (const [place, part] of this.#partsOf(items, written).entries()) {
      if (place > 0) joiner.add(',');
      joiner.add(part instanceof Run ? written.textOf(part) : texts.printValue(part));
    }
    joiner.add(']');
    return joiner.joined();
  }

  #partsOf(items: readonly JsonObject[], written: WrittenItems): readonly (Run | JsonObject)[] {
    const parts: (Run | JsonObject)[] = [];
    for (const item of items) {
      const index = this.#find(item, written);
      const last = parts.at(-1);
      if (index === null) parts.push(item);
      else if (last instanceof Run && last.end === index) last.end += 1;
      else parts.push(new Run(index, index + 1));
    }
    return parts;
  }

  #find(item: JsonObject, written: WrittenItems): number | null {
    const keys = keysOf(item);
    const end = Math.min(this.#next + MOST_CANDIDATES, written.count);
    for (let index = this.#next; index < end; index += 1) {
      if (!written.says(index, item, keys)) continue;
      this.#next = index + 1;
      return index;
    }
    return null;
  }
}
