import { expect, it } from '@jest/globals';
import { eventData, serverEvents } from './event-stream.js';

function streamOf(pieces: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
}

async function all<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

const TEXT = ': a comment\r\nid: 7\nevent: tick\ndata: {"a":"größer"}\n\ndata:second\r\n\nevent: end\n\ndata: cut off';

it('events are read with their names, wherever their bytes are split; an incomplete last event is dropped', async () => {
  const bytes = new TextEncoder().encode(TEXT);
  const events = [{ name: 'tick', data: '{"a":"größer"}' }, { name: 'message', data: 'second' }];
  for (let at = 0; at <= bytes.length; at += 1) expect(await all(serverEvents(streamOf([bytes.slice(0, at), bytes.slice(at)])))).toEqual(events);
  expect(await all(serverEvents(streamOf(Array.from(bytes, (byte) => Uint8Array.of(byte)))))).toEqual(events);
});

it('the data of events can be read without their names', async () => {
  expect(await all(eventData(streamOf([new TextEncoder().encode('data: one\n\nevent: x\ndata: two\n\n')])))).toEqual(['one', 'two']);
});
