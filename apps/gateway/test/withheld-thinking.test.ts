import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { endStep, Gate, type ProviderStep, yielding } from '@tollgate/testkit';
import { bodyOfEveryFormat, FORMATS } from './acceptance/support/formats.js';
import { REPORTED_USAGE } from '../src/test-support/test-catalogue.js';
import { eventually, RawConnection } from '../src/test-support/test-client.js';
import { startTestGateway, type TestGateway } from '../src/test-support/start-test-gateway.js';

/** A request to a model that sends thinking although the catalogue says that it does not reason. */
const REQUEST = { model: 'halting', ...bodyOfEveryFormat('Hi', 900) };

let gateway: TestGateway;
let gate: Gate;

function think(delta: string): ProviderStep {
  return yielding({ type: 'block-delta', index: 0, delta });
}

beforeEach(async () => {
  gateway = await startTestGateway();
  gate = new Gate();
  gateway.provider.script('halting', {
    steps: [
      yielding({ type: 'block-start', index: 0, block: { type: 'thinking' } }),
      think('secret'), { type: 'wait', gate }, think('secret too'),
      yielding(
        { type: 'block-end', index: 0, signature: 'signed' },
        { type: 'block-start', index: 1, block: { type: 'text' } }, { type: 'block-delta', index: 1, delta: 'Hello' }, { type: 'block-end', index: 1, signature: null },
      ),
      endStep(REPORTED_USAGE),
    ],
  });
});

afterEach(async () => {
  gate.open();
  await gateway.close();
});

describe.each(FORMATS)('while thinking is withheld from a $name stream,', ({ path, firstFrame, keepAlives, readStream }) => {
  it('the gateway sends the headers and the first event, then keep-alives, then the text', async () => {
    const connection = await RawConnection.open(gateway.url);
    const body = JSON.stringify({ ...REQUEST, stream: true });
    void connection.send(`POST ${path} HTTP/1.1\r\nhost: test\r\nx-api-key: ${gateway.caller.key}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
    expect(await connection.until(firstFrame)).toMatch(/^HTTP\/1.1 200/);
    gateway.clock.advance(10_000);
    await eventually(() => keepAlives(connection.received) === 1);
    gate.open();
    const received = await connection.until('Hello');
    expect(received).not.toContain('secret');
    connection.destroy();
  });

  it('the gateway delivers only the text, streamed and whole, and charges all output', async () => {
    gate.open();
    const streamed = await (await gateway.post(path, { ...REQUEST, stream: true })).text();
    readStream(streamed);
    const whole = await (await gateway.post(path, REQUEST)).text();
    for (const text of [streamed, whole]) {
      expect(text).toContain('Hello');
      expect(text).not.toContain('secret');
    }
    const { data } = await (await gateway.fetch('/v1/usage')).json() as { readonly data: readonly { readonly usage: object }[] };
    expect(data.map(({ usage }) => usage)).toEqual([1, 2].map(() => expect.objectContaining({ output_tokens: REPORTED_USAGE.outputTokens, reasoning_withheld: true })));
  });
});
