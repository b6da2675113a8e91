import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { invariant, type JsonObject, ServiceTokens } from '@tollgate/core';
import { Gate, replies } from '@tollgate/testkit';
import { CHAT, type Format, MESSAGES, RESPONSES } from '../acceptance/support/formats.js';
import { Crowd, type CrowdReply } from './support/crowd.js';
import { Deployment } from './support/deployment.js';
import { EMBEDDED, TWO_ON_POSTGRES } from './support/set-up.js';
import { MODEL, sharedCatalogue, UPSTREAM_MODEL } from './support/shared-catalogue.js';

const SIMULTANEOUS = 200;
const EXPECTED_OUTPUT = 4096;
const FLOOR_OUTPUT = 256;
/** Output tokens that the upstream reports, close to what the gateway itself counts. */
const OUTPUT = 90;

interface Asking {
  readonly name: string;
  readonly format: Format;
  readonly fields: JsonObject;
  /** Output tokens for which the request reserves. */
  readonly expected: number;
}

const WITHOUT_MAXIMUM = { max_tokens: undefined } as unknown as JsonObject;
const ASKINGS: readonly Asking[] = [
  { name: 'a chat stream without max_tokens', format: CHAT, fields: { ...WITHOUT_MAXIMUM, stream: true }, expected: EXPECTED_OUTPUT },
  { name: 'a whole chat reply without max_tokens', format: CHAT, fields: WITHOUT_MAXIMUM, expected: EXPECTED_OUTPUT },
  { name: 'a chat stream with max_tokens', format: CHAT, fields: { max_tokens: 1000, stream: true }, expected: 1000 },
  { name: 'a whole message with max_tokens', format: MESSAGES, fields: { max_tokens: 1000 }, expected: 1000 },
  { name: 'a stream of a response without max_output_tokens', format: RESPONSES, fields: { ...WITHOUT_MAXIMUM, stream: true }, expected: EXPECTED_OUTPUT },
  { name: 'a whole response with max_output_tokens', format: RESPONSES, fields: { max_tokens: 1000 }, expected: 1000 },
];

describe.each([EMBEDDED, TWO_ON_POSTGRES])('a small balance on $name', (setUp) => {
  let deployment: Deployment;
  const crowd = new Crowd();
  let promptTokens = 0;

  beforeAll(async () => {
    deployment = await Deployment.start({ setUp, catalogue: sharedCatalogue });
    const { key } = await deployment.addCaller({ planId: 'ample', credit: '1' });
    const reply = await crowd.ask({ url: `${urlOf(0)}/v1/messages/count_tokens`, key, body: { model: MODEL, messages: [{ role: 'user', content: 'One of many.' }] } });
    promptTokens = Number((JSON.parse(reply.body) as JsonObject)['input_tokens']);
  }, 60_000);
  afterAll(async () => {
    crowd.close();
    await deployment.close();
  });

  function urlOf(number: number): string {
    return deployment.gateway(number).url;
  }

  /** Cost of a request with this many output tokens, in micro-units. */
  function cost(output: number): bigint {
    return BigInt(promptTokens * 1000 + output * 2000);
  }

  /** Sends all requests at once. Replies wait until every other request is at the upstream or refused. */
  async function askAll(key: string, { format, fields }: Asking): Promise<readonly CrowdReply[]> {
    const gate = new Gate();
    let [arrived, refused] = [0, 0];
    const openWhenAllAreIn = (): void => {
      if (arrived + refused === SIMULTANEOUS) gate.open();
    };
    deployment.upstream.always(UPSTREAM_MODEL, (request) => {
      arrived += 1;
      openWhenAllAreIn();
      return replies({ text: ['Served.'], usage: usage() }, { pauses: [{ before: 'headers', gate }] })(request);
    });
    const body = format.body(MODEL, 'One of many.', fields);
    return Promise.all(Array.from({ length: SIMULTANEOUS }, async (_, number) => {
      const reply = await crowd.ask({ url: `${urlOf(number)}${format.path}`, key, body });
      if (reply.status !== 200) refused += 1;
      openWhenAllAreIn();
      return reply;
    }));
  }

  function usage(): JsonObject {
    return { prompt_tokens: promptTokens, completion_tokens: OUTPUT, total_tokens: promptTokens + OUTPUT };
  }

  describe.each(ASKINGS)('$name', (asking) => {
    it.each([
      ['a remainder one micro-token below the floor', -1n, 7],
      ['a remainder at the floor', 0n, 8],
    ] as const)('sent 200 times at once is served exactly as often as seven full reservations and %s pay for', async (_name, beside, served) => {
      const credit = 7n * cost(asking.expected) + cost(FLOOR_OUTPUT) + beside;
      const { account, key } = await deployment.addCaller({ planId: 'ample', credit: ServiceTokens.fromUnits(credit).toString() });
      const callsBefore = deployment.upstream.requests.length;
      const all = await askAll(key, asking);
      expect(all.filter(({ status }) => status === 200)).toHaveLength(served);
      expect(all.filter((reply) => reply.status === 402 && reply.body.includes('insufficient_balance'))).toHaveLength(SIMULTANEOUS - served);
      expect(deployment.upstream.requests.length - callsBefore).toBe(served);
      expect(await deployment.balanceOf(account.id)).toEqual({
        available: ServiceTokens.fromUnits(credit - BigInt(served) * cost(OUTPUT)).toString(), reserved: '0',
      });
      expect(await deployment.recordsOf(account.id)).toHaveLength(served);
    }, 30_000);

    it('is served one request after the other until less than the floor is left', async () => {
      deployment.upstream.always(UPSTREAM_MODEL, replies({ text: ['Served.'], usage: usage() }));
      const { account, key } = await deployment.addCaller({ planId: 'ample', credit: ServiceTokens.fromUnits(cost(FLOOR_OUTPUT) + 4n * cost(OUTPUT) + 1n).toString() });
      const body = asking.format.body(MODEL, 'One of many.', asking.fields);
      const statuses: number[] = [];
      while (statuses.at(-1) !== 402) statuses.push((await crowd.ask({ url: `${urlOf(statuses.length)}${asking.format.path}`, key, body })).status);
      expect(statuses).toEqual([200, 200, 200, 200, 200, 402]);
      const { available } = await deployment.balanceOf(account.id);
      expect(available).toBe(ServiceTokens.fromUnits(cost(FLOOR_OUTPUT) - cost(OUTPUT) + 1n).toString());
    }, 30_000);
  });

  it('pays for a reply that exhausts it, to the last micro-token', async () => {
    deployment.upstream.always(UPSTREAM_MODEL, replies({ text: Array.from({ length: 400 }, (_, number) => ` word${number}`) }));
    const credit = cost(FLOOR_OUTPUT);
    const { account, key } = await deployment.addCaller({ planId: 'ample', credit: ServiceTokens.fromUnits(credit).toString() });
    const reply = await crowd.ask({ url: `${urlOf(0)}${CHAT.path}`, key, body: CHAT.body(MODEL, 'One of many.', { ...WITHOUT_MAXIMUM, stream: true }) });
    expect(CHAT.readStream(reply.body).stop).toBe('length');
    const [record] = await deployment.recordsOf(account.id);
    invariant(record !== undefined, 'the request has a record');
    expect([record.reason, record.writeOff.toString()]).toEqual(['balance_exhausted', '0']);
    const { available, reserved } = await deployment.balanceOf(account.id);
    expect(reserved).toBe('0');
    // The remaining balance is less than the cost of one more piece of the reply.
    expect(Number(available)).toBeLessThan(0.02);
  });

  it('leaves a ledger without differences', async () => {
    expect(await deployment.differences()).toEqual([]);
  });
});
