import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@tollgate/core';
import { sendsRaw } from '@tollgate/testkit';
import { CHAT, type Format, FORMATS, MESSAGES } from '../acceptance/support/formats.js';
import { WireWorld } from '../clients/support/wire-world.js';
import { expectedStream, inPieces, KINDS, transcriptsOf, withNumberedIds } from './support.js';

const MODEL = 'transcribed';
/** Only shown on request in this format. */
const THINKING = { thinking: { type: 'enabled', budget_tokens: 1024 } };
/** If a whole reply breaks off, nothing is delivered. */
const BROKEN_OFF = { text: null, stop: null, figures: null };

describe.each(KINDS)('a stream of an upstream of the kind $kind', ({ kind, definition }) => {
  let world: WireWorld;
  let callers = 0;

  // One for each test, or the upstream's failures on purpose would open its circuit.
  beforeEach(async () => {
    world = await WireWorld.start({ models: [MODEL], definition });
  });

  afterEach(() => world.close());

  /** Sends the first request of a new account, so that balances are independent. */
  async function ask(format: Format, fields: JsonObject): Promise<Response> {
    const { key } = await world.gateway.addCaller(`caller-${callers += 1}`);
    return world.gateway.post(format.path, format.body(MODEL, 'Go on.', { max_tokens: 20_000, ...(format === MESSAGES ? THINKING : {}), ...fields }), { authorization: `Bearer ${key}` });
  }

  async function streamed(format: Format, bytes: readonly Buffer[]): Promise<string> {
    world.upstream.script(MODEL, sendsRaw(bytes));
    const reply = await ask(format, { stream: true });
    return withNumberedIds(await reply.text());
  }

  describe.each(transcriptsOf(kind))('$name', (transcript) => {
    it.each(FORMATS)('becomes the expected valid $name stream', async (format) => {
      const stream = await streamed(format, [transcript.bytes]);
      format.readStream(stream);
      expect(stream).toBe(expectedStream(transcript, format.name, stream));
    });

    it.each(FORMATS.filter((format) => format !== CHAT))('has the same content in the $name format as in the chat format', async (format) => {
      const [chat, other] = [CHAT.readStream(await streamed(CHAT, [transcript.bytes])), format.readStream(await streamed(format, [transcript.bytes]))];
      expect(other.text).toBe(chat.text);
      expect(other.figures).toEqual(chat.figures);
      expect(other.error?.['code']).toBe(chat.error?.['code']);
    });

    it('becomes the same stream when its bytes arrive in pieces', async () => {
      expect(await streamed(CHAT, inPieces(transcript.bytes, 7))).toBe(await streamed(CHAT, [transcript.bytes]));
    });

    it.each(FORMATS)('has the same content as a whole reply of the $name format', async (format) => {
      const stream = format.readStream(await streamed(format, [transcript.bytes]));
      world.upstream.script(MODEL, sendsRaw([transcript.bytes]));
      const reply = await ask(format, {});
      const { text, stop, figures } = reply.ok ? format.readWhole((await reply.json()) as JsonObject) : BROKEN_OFF;
      expect({ text, stop, figures }).toEqual(stream.error === null ? { text: stream.text, stop: stream.stop, figures: stream.figures } : BROKEN_OFF);
      expect(reply.status).toBe(stream.error === null ? 200 : 503);
    });
  });
});
