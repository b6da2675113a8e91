/** Splits text that arrives in pieces into lines. The pieces of a line are joined once, so that a long line costs no more than its length. */
class Lines {
  #pieces: string[] = [];

  /** The lines that this text completes. */
  add(text: string): readonly string[] {
    const [first = '', ...rest] = text.split('\n');
    this.#pieces.push(first);
    if (rest.length === 0) return [];
    const complete = [this.#pieces.join(''), ...rest.slice(0, -1)];
    this.#pieces = [rest.at(-1) ?? ''];
    return complete;
  }
}

/** The value of a line's field; `null` for another field. */
function valueOf(line: string, field: string): string | null {
  const text = line.endsWith('\r') ? line.slice(0, -1) : line;
  return text.startsWith(`${field}:`) ? text.slice(field.length + 1).replace(/^ /, '') : null;
}

/** An event as the gateway sends it: in one line of data. */
export interface ServerEvent {
  /** `message` where the event has no name. */
  readonly name: string;
  readonly data: string;
}

const UNNAMED = 'message';

async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const lines = new Lines();
  const reader = body.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield* lines.add(decoder.decode(read.value, { stream: true }));
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Reads server-sent events from a body. Ids and comments are dropped. */
export async function* serverEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  let name = UNNAMED;
  for await (const line of linesOf(body)) {
    const data = valueOf(line, 'data');
    if (data !== null) yield { name, data };
    name = data === null ? valueOf(line, 'event') ?? name : UNNAMED;
  }
}

/** The data of the events alone, where they say themselves what they are. */
export async function* eventData(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  for await (const { data } of serverEvents(body)) yield data;
}
