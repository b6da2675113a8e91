/** Listens in on a client, so that every stream it was sent can be held against the grammar of its format. */
export class StreamRecorder {
  readonly #streams: { text: string }[] = [];

  /** For the client to use in place of the platform's own. */
  readonly fetch: typeof fetch = async (input, init) => {
    const reply = await fetch(input, init);
    const isStream = reply.headers.get('content-type')?.startsWith('text/event-stream') === true;
    if (!isStream || reply.body === null) return reply;
    return new Response(reply.body.pipeThrough(this.#tap()), { status: reply.status, headers: reply.headers });
  };

  /** Throws at the first stream that is not sound, and returns their number. Resets the count. */
  check(read: (stream: string) => unknown): number {
    const streams = this.#streams.splice(0);
    for (const { text } of streams) read(text);
    return streams.length;
  }

  /** What the client takes is what is kept: it may break off as soon as it has seen an error. */
  #tap(): TransformStream<Uint8Array, Uint8Array> {
    const stream = { text: '' };
    this.#streams.push(stream);
    const decoder = new TextDecoder();
    return new TransformStream({
      transform(bytes, controller) {
        stream.text += decoder.decode(bytes, { stream: true });
        controller.enqueue(bytes);
      },
    });
  }
}
