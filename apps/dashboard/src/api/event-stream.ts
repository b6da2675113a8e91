/** Splits text that arrives in pieces into lines, in linear time. */
class Lines {
  #pieces: string[] = [];

  /** Returns the lines that the text completes. */
  add(text: string): readonly string[] {
    const [first = '', ...rest] = text.split('\n');
    this.#pieces.push(first);
    if (rest.length === 0) return [];
    const complete = [this.#pieces.join(''), ...rest.slice(0, -1)];
    this.#pieces = [rest.at(-1) ?? ''];
    return complete;
  }
}

/** Value of the field; `null` if the line does not contain it. */
function valueOf(line: string, field: string): string | null {
  const text = line.endsWith('\r') ? line.slice(0, -1) : line;
  return text.startsWith(`${field}:`) ? text.slice(field.length + 1).replace(/^ /, '') : null;
}

/** A server-sent event. Its data must be one line, as the gateway sends it. */
interface ServerEvent {
  /** Type of the event; `message` if the stream does not name one. */
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

/** Reads server-sent events. Ignores ids and comments. */
export async function* serverEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  let name = UNNAMED;
  for await (const line of linesOf(body)) {
    const data = valueOf(line, 'data');
    if (data !== null) yield { name, data };
    name = data === null ? valueOf(line, 'event') ?? name : UNNAMED;
  }
}

/** Reads only the data of events, for streams whose data contain the type. */
export async function* eventData(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  for await (const { data } of serverEvents(body)) yield data;
}
