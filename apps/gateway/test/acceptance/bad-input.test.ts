import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject, JsonValue } from '@tollgate/core';
import { replies, valuesOtherThan, withValueAt } from '@tollgate/testkit';
import { RawConnection } from '../../src/test-support/test-client.js';
import { AcceptanceWorld } from './support/acceptance-world.js';
import { BAD_INPUT_FORMATS, badInputs, BODY_LIMIT, MODEL } from './support/bad-inputs.js';
import type { Format } from './support/formats.js';
import { catalogueFile, modelEntry, scriptedEntry } from './support/scripted-catalogue.js';

let world: AcceptanceWorld;
beforeAll(async () => {
  world = await AcceptanceWorld.start({
    catalogue: (upstream) => catalogueFile(
      { scripted: scriptedEntry(upstream) }, { [MODEL]: modelEntry(MODEL, { more: { aliases: ['test-model'], reasoning: true } }) },
    ),
    planId: 'ample',
  });
  world.upstream.always('*', replies({ text: 'Served.' }));
});
afterAll(() => world.close());

interface Answer {
  readonly status: number;
  readonly code: string | null;
  readonly param: string | null;
}

/** Throws unless the reply is a valid stream, a whole reply, or a complete error in the envelope of its format. */
async function answerTo(format: Format, body: string): Promise<Answer> {
  const reply = await world.post(format.path, body);
  const raw = await reply.text();
  const requestId = reply.headers.get('x-request-id');
  if (reply.status === 200) {
    if (reply.headers.get('content-type')?.startsWith('text/event-stream') === true) format.readStream(raw);
    else format.readWhole(JSON.parse(raw) as JsonObject);
    return { status: 200, code: null, param: null };
  }
  const { type, error } = JSON.parse(raw) as { type?: string; error: { code: string; message: string; request_id: string; param?: string } };
  if (type !== format.envelopeType) throw new Error(`the wrong envelope: ${raw}`);
  if (error.request_id !== requestId || error.message === '') throw new Error(`an incomplete error: ${raw}`);
  return { status: reply.status, code: error.code, param: error.param ?? null };
}

describe.each(BAD_INPUT_FORMATS)('in the $format.name format', (given) => {
  const { format, full, fields } = given;

  afterEach(async () => {
    // After every bad request, a good one is still served.
    const { status } = await world.post(format.path, format.body(MODEL, 'Hi'));
    if (status !== 200) throw new Error(`after it, a good request was answered with ${status}`);
  });

  it('a request with every field is served', async () => {
    expect(await answerTo(format, JSON.stringify(full))).toEqual({ status: 200, code: null, param: null });
  });

  it.each(fields)('%s (%s) of a wrong type is refused, and the refusal names the field', async (...[path, presence, ...types]) => {
    const wrong: readonly JsonValue[] = [...valuesOtherThan(...types), ...(presence === 'required' ? [null] : [])];
    const answers = await Promise.all(wrong.map((value) => answerTo(format, JSON.stringify(withValueAt(full, path, value)))));
    const refusal = { status: 400, code: 'invalid_request', param: format.namesFields ? path : null };
    expect(answers).toEqual(wrong.map(() => refusal));
  });

  it.each(badInputs(given).map((input) => [input.name, input] as const))('%s is answered with the expected status, error code and field', async (_, { body, status, code, param = null }) => {
    expect(await answerTo(format, body)).toEqual({ status, code, param: format.namesFields ? param : null });
  });

  it('a body of 2 MiB and 1 byte without a declared length is refused during the upload', async () => {
    const connection = await RawConnection.open(world.url);
    void connection.send([
      `POST ${format.path} HTTP/1.1`, 'host: test', `x-api-key: ${world.caller.key}`, 'content-type: application/json', 'transfer-encoding: chunked', '', '',
    ].join('\r\n'));
    const piece = ' '.repeat(65_536);
    for (let sent = 0; sent < BODY_LIMIT; sent += piece.length) void connection.send(`10000\r\n${piece}\r\n`);
    void connection.send('1\r\n \r\n');
    expect(await connection.until('"payload_too_large"')).toMatch(/^HTTP\/1\.1 413 /);
    connection.destroy();
  });
});

it('only served requests are charged', async () => {
  await world.settled();
  const served = world.upstream.requests.length;
  expect(world.usageRecordCount(world.caller.account.id)).toBe(served);
  expect(await world.differences()).toEqual([]);
});
