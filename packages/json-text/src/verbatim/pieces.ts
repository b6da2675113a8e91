import { type Printable, printValue } from '../exact/print.js';

/** Part of a JSON text: characters, or their bytes in UTF-8. It may begin and end anywhere between characters. */
export type JsonPiece = string | Uint8Array;

/** A JSON value by the pieces of its text, in order. Its creator guarantees that together they are JSON. */
export class JsonPieces {
  constructor(readonly pieces: readonly JsonPiece[]) {}
}

/** Puts pieces together, neighbouring characters to one piece. */
export class PieceJoiner {
  readonly #pieces: JsonPiece[] = [];
  #text = '';

  add(piece: JsonPiece): void {
    if (typeof piece === 'string') {
      this.#text += piece;
      return;
    }
    this.#endText();
    this.#pieces.push(piece);
  }

  addAll({ pieces }: JsonPieces): void {
    for (const piece of pieces) this.add(piece);
  }

  /** All that was added. */
  joined(): JsonPieces {
    this.#endText();
    return new JsonPieces(this.#pieces);
  }

  #endText(): void {
    if (this.#text !== '') this.#pieces.push(this.#text);
    this.#text = '';
  }
}

/** As `printObject`; fields may also be there in pieces, and then so is the object. */
export function printObjectInPieces(fields: Readonly<Record<string, Printable | JsonPieces | undefined>>): JsonPieces {
  const joiner = new PieceJoiner();
  let before = '{';
  for (const name in fields) {
    const value = fields[name];
    if (value === undefined) continue;
    joiner.add(`${before}${JSON.stringify(name)}:`);
    if (value instanceof JsonPieces) joiner.addAll(value);
    else joiner.add(printValue(value));
    before = ',';
  }
  joiner.add(before === '{' ? '{}' : '}');
  return joiner.joined();
}
