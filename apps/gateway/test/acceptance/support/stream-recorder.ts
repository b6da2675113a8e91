/** Records a client's streams, to check their grammar. */
export class StreamRecorder {
  readonly #streams: { text: string }[] = [];

  /** Pass it to the official client as `fetch`. */
  readonly fetch: typeof fetch = async (input, init) => {
    const reply = await fetch(input, init);
    const isStream = reply.headers.get('content-type')?.startsWith('text/event-stream') === true;
    if (!isStream || reply.body === null) return reply;
    return new Response(reply.body.pipeThrough(this.#tap()), { status: reply.status, headers: reply.headers });
  };

  /** Checks and forgets the recorded streams; returns their number. Throws for an invalid stream. */
  check(read: (stream: string) => unknown): number {
    const streams = this.#streams.splice(0);
    for (const { text } of streams) read(text);
    return streams.length;
  }

  /** Records what the client reads: it may stop after an error. */
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
