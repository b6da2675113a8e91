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

function dataOf(line: string): string | null {
  const text = line.endsWith('\r') ? line.slice(0, -1) : line;
  return text.startsWith('data:') ? text.slice(text.startsWith('data: ') ? 6 : 5) : null;
}

/** Reads the data of server-sent events from a body, each as its text. Comments and event names are dropped: the data say what they are. */
export async function* eventData(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const lines = new Lines();
  const reader = body.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      yield* lines.add(decoder.decode(read.value, { stream: true })).map(dataOf).filter((data) => data !== null);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
