/** Records the streams that a client reads, so that a test can check their grammar. */
export class StreamRecorder {
  readonly #streams: { text: string }[] = [];

  /** Pass it to the official client as `fetch`. */
  readonly fetch: typeof fetch = async (input, init) => {
    const reply = await fetch(input, init);
    const isStream = reply.headers.get('content-type')?.startsWith('text/event-stream') === true;
    if (!isStream || reply.body === null) return reply;
    return new Response(reply.body.pipeThrough(this.#tap()), { status: reply.status, headers: reply.headers });
  };

  /** Checks the recorded streams with `read`, drops them, and returns their number. Throws what `read` throws. */
  check(read: (stream: string) => unknown): number {
    const streams = this.#streams.splice(0);
    for (const { text } of streams) read(text);
    return streams.length;
  }

  /** Records only what the client reads, because a client may stop after an error. */
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
