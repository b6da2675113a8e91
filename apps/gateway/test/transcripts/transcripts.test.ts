import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@tollgate/core';
import { sendsRaw } from '@tollgate/testkit';
import { CHAT, FORMATS, MESSAGES, type Format } from '../acceptance/support/formats.js';
import { WireWorld } from '../clients/support/wire-world.js';
import { expectedStream, inPieces, KINDS, transcriptsOf, withNumberedIds } from './support.js';

const MODEL = 'transcribed';

describe.each(KINDS)('a stream of an upstream of the kind $kind', ({ kind, definition }) => {
  let world: WireWorld;
  let callers = 0;

  // One for each test, or the upstream's failures on purpose would open its circuit.
  beforeEach(async () => {
    world = await WireWorld.start({ models: [MODEL], definition });
  });

  afterEach(() => world.close());

  /** Each request is the first of its account, so that balances do not depend on what was asked before. */
  async function ask({ path, body }: Format, fields: JsonObject): Promise<Response> {
    const { key } = await world.gateway.addCaller(`caller-${callers += 1}`);
    return world.gateway.post(path, body(MODEL, 'Go on.', { max_tokens: 20_000, ...fields }), { authorization: `Bearer ${key}` });
  }

  async function streamed(format: Format, bytes: readonly Buffer[]): Promise<string> {
    world.upstream.script(MODEL, sendsRaw(bytes));
    const reply = await ask(format, { stream: true });
    return withNumberedIds(await reply.text());
  }

  describe.each(transcriptsOf(kind))('$name', (transcript) => {
    it.each(FORMATS)('becomes the $name stream that is expected, which keeps the grammar', async (format) => {
      const stream = await streamed(format, [transcript.bytes]);
      format.readStream(stream);
      expect(stream).toBe(expectedStream(transcript, format.name, stream));
    });

    it('says the same in both formats', async () => {
      const [chat, messages] = [CHAT.readStream(await streamed(CHAT, [transcript.bytes])), MESSAGES.readStream(await streamed(MESSAGES, [transcript.bytes]))];
      expect(messages.text).toBe(chat.text);
      expect(messages.figures).toEqual(chat.figures);
      expect(messages.error?.['code']).toBe(chat.error?.['code']);
    });

    it('becomes the same stream when its bytes come in pieces', async () => {
      expect(await streamed(CHAT, inPieces(transcript.bytes, 7))).toBe(await streamed(CHAT, [transcript.bytes]));
    });

    it.each(FORMATS)('says as a whole reply of the $name format what it says as a stream', async (format) => {
      const stream = format.readStream(await streamed(format, [transcript.bytes]));
      world.upstream.script(MODEL, sendsRaw([transcript.bytes]));
      const reply = await ask(format, {});
      if (stream.error !== null) {
        expect(reply.status).toBe(503);
        return;
      }
      const { text, stop, figures } = format.readWhole((await reply.json()) as JsonObject);
      expect({ text, stop, figures }).toEqual({ text: stream.text, stop: stream.stop, figures: stream.figures });
    });
  });
});
