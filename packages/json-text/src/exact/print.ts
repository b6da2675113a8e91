export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined;
}

/** The text of a JSON value, printed as it is: numbers and the order of keys survive. The text must be JSON. */
export class JsonText {
  constructor(readonly text: string) {}
}

/** What can be printed: a value, or the text of one. */
export type Printable = JsonValue | JsonText;

function printValue(value: Printable): string {
  return value instanceof JsonText ? value.text : JSON.stringify(value);
}

/** Prints an object; members may be texts already. Members that are `undefined` are left out. */
export function printObject(fields: Readonly<Record<string, Printable | undefined>>): JsonText {
  let members = '';
  for (const name in fields) {
    const value = fields[name];
    if (value === undefined) continue;
    members += `${members === '' ? '' : ','}${JSON.stringify(name)}:${printValue(value)}`;
  }
  return new JsonText(`{${members}}`);
}

/** Prints a list; items may be texts already. */
export function printList(items: readonly Printable[]): JsonText {
  let printed = '';
  for (const item of items) printed += `${printed === '' ? '' : ','}${printValue(item)}`;
  return new JsonText(`[${printed}]`);
}

/**
 * The arguments of a tool call as an object, as they were written. A model may write anything: a text that is no JSON object becomes
 * `{"_raw": text}`, so that the tool can refuse it and the model can see what it wrote.
 */
export function argumentsObject(argumentsJson: string): JsonText {
  if (argumentsJson.trim() === '') return new JsonText('{}');
  return isJsonObject(argumentsJson) ? new JsonText(argumentsJson) : printObject({ _raw: argumentsJson });
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError)) throw thrown;
    return false;
  }
}

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
