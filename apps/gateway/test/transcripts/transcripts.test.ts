import { beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@tollgate/core';
import { sendsRaw } from '@tollgate/testkit';
import { CHAT, type Format, FORMATS, MESSAGES } from '../acceptance/support/formats.js';
import { WireWorld } from '../clients/support/wire-world.js';
import { expectedStream, inPieces, KINDS, type Transcript, type TranscribedKind, transcriptsOf, withNumberedIds } from './support.js';

const MODEL = 'transcribed';
/** Fields that ask for thinking, which the messages format shows only on request. */
const THINKING = { thinking: { type: 'enabled', budget_tokens: 1024 } };
/** Content of a whole reply that breaks off: nothing is delivered. */
const BROKEN_OFF = { text: null, stop: null, figures: null };

type Definition = TranscribedKind['definition'];

interface Streams {
  readonly of: ReadonlyMap<Format, string>;
  readonly ofPieces: string;
}

/** Sends a request with a new account, so that every balance is the same. */
async function ask({ upstream, gateway }: WireWorld, format: Format, { bytes, fields }: { readonly bytes: readonly Buffer[]; readonly fields: JsonObject }): Promise<Response> {
  upstream.script(MODEL, sendsRaw(bytes));
  const { key } = await gateway.addCaller(`caller-${format.name}-${bytes.length}`);
  return gateway.post(format.path, format.body(MODEL, 'Go on.', { max_tokens: 20_000, ...(format === MESSAGES ? THINKING : {}), ...fields }), { authorization: `Bearer ${key}` });
}

/** Runs `act` in a world of its own, with at most four requests: some transcripts fail, and failures may open the circuit from the fifth call on. */
async function within<T>(definition: Definition, act: (world: WireWorld) => Promise<T>): Promise<T> {
  const world = await WireWorld.start({ models: [MODEL], definition });
  try {
    return await act(world);
  } finally {
    await world.close();
  }
}

function streamsOf({ bytes }: Transcript, definition: Definition): Promise<Streams> {
  return within(definition, async (world) => {
    const streamed = async (format: Format, pieces: readonly Buffer[]): Promise<string> => withNumberedIds(await (await ask(world, format, { bytes: pieces, fields: { stream: true } })).text());
    const of = new Map<Format, string>();
    for (const format of FORMATS) of.set(format, await streamed(format, [bytes]));
    return { of, ofPieces: await streamed(CHAT, inPieces(bytes, 7)) };
  });
}

function wholeRepliesOf({ bytes }: Transcript, definition: Definition): Promise<ReadonlyMap<Format, { readonly status: number; readonly body: JsonObject }>> {
  return within(definition, async (world) => {
    const replies = new Map<Format, { readonly status: number; readonly body: JsonObject }>();
    for (const format of FORMATS) {
      const reply = await ask(world, format, { bytes: [bytes], fields: {} });
      replies.set(format, { status: reply.status, body: (await reply.json()) as JsonObject });
    }
    return replies;
  });
}

describe.each(KINDS)('a stream of an upstream of the kind $kind', ({ kind, definition }) => {
  describe.each(transcriptsOf(kind))('($name)', (transcript) => {
    let streams: Streams;
    beforeAll(async () => {
      streams = await streamsOf(transcript, definition);
    });

    const streamOf = (format: Format): string => streams.of.get(format) ?? '';

    it.each(FORMATS)('becomes the expected valid $name stream', (format) => {
      const stream = streamOf(format);
      format.readStream(stream);
      expect(stream).toBe(expectedStream(transcript, format.name, stream));
    });

    it.each(FORMATS.filter((format) => format !== CHAT))('has the same content in the $name format as in the chat format', (format) => {
      const [chat, other] = [CHAT.readStream(streamOf(CHAT)), format.readStream(streamOf(format))];
      expect(other.text).toBe(chat.text);
      expect(other.figures).toEqual(chat.figures);
      expect(other.error?.['code']).toBe(chat.error?.['code']);
    });

    it('becomes the same stream when its bytes arrive in pieces', () => {
      expect(streams.ofPieces).toBe(streamOf(CHAT));
    });

    it('has, in each format, the same content as a whole reply', async () => {
      const replies = await wholeRepliesOf(transcript, definition);
      expect(replies.size).toBe(FORMATS.length);
      for (const [format, { status, body }] of replies) {
        const stream = format.readStream(streamOf(format));
        const whole = status === 200 ? format.readWhole(body) : BROKEN_OFF;
        const { text, stop, figures } = whole;
        expect({ format: format.name, status, text, stop, figures })
          .toEqual({ format: format.name, ...(stream.error === null ? { status: 200, text: stream.text, stop: stream.stop, figures: stream.figures } : { status: 503, ...BROKEN_OFF }) });
      }
    });
  });
});
