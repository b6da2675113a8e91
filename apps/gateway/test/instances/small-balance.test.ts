import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { invariant, type JsonObject, ServiceTokens } from '@tollgate/core';
import { replies } from '@tollgate/testkit';
import { CHAT, type Format, MESSAGES, RESPONSES } from '../acceptance/support/formats.js';
import type { CrowdReply } from './support/crowd.js';
import { CrowdedDeployment } from './support/crowded-deployment.js';
import type { Deployment } from './support/deployment.js';
import { EMBEDDED, TWO_ON_POSTGRES } from './support/set-up.js';
import { UPSTREAM_MODEL } from './support/shared-catalogue.js';

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
  let crowded: CrowdedDeployment;
  let deployment: Deployment;

  beforeAll(async () => {
    crowded = await CrowdedDeployment.start(setUp);
    deployment = crowded.deployment;
  }, 60_000);
  afterAll(() => crowded.close());

  function askAll(key: string, { format, fields }: Asking): Promise<readonly CrowdReply[]> {
    return crowded.askAtOnce(SIMULTANEOUS, OUTPUT, (number) => crowded.ask(number, key, format, fields));
  }

  describe.each(ASKINGS)('for $name,', (asking) => {
    it.each([
      ['a remainder one micro-token below the floor', 7, -1n],
      ['a remainder at the floor', 8, 0n],
    ] as const)('of seven reservations and %s pays for exactly %d of 200 simultaneous requests', async (_name, served, beside) => {
      const credit = 7n * crowded.cost(asking.expected) + crowded.cost(FLOOR_OUTPUT) + beside;
      const { account, key } = await deployment.addCaller({ planId: 'ample', credit: ServiceTokens.fromUnits(credit).toString() });
      const callsBefore = deployment.upstream.requests.length;
      const all = await askAll(key, asking);
      expect(all.filter(({ status }) => status === 200)).toHaveLength(served);
      expect(all.filter((reply) => reply.status === 402 && reply.body.includes('insufficient_balance'))).toHaveLength(SIMULTANEOUS - served);
      expect(deployment.upstream.requests.length - callsBefore).toBe(served);
      expect(await deployment.balanceOf(account.id)).toEqual({
        available: ServiceTokens.fromUnits(credit - BigInt(served) * crowded.cost(OUTPUT)).toString(), reserved: '0',
      });
      expect(await deployment.recordsOf(account.id)).toHaveLength(served);
    }, 30_000);

    it('pays for one request after the other until it is below the floor', async () => {
      deployment.upstream.always(UPSTREAM_MODEL, replies({ text: ['Served.'], usage: crowded.usage(OUTPUT) }));
      const { account, key } = await deployment.addCaller({ planId: 'ample', credit: ServiceTokens.fromUnits(crowded.cost(FLOOR_OUTPUT) + 4n * crowded.cost(OUTPUT) + 1n).toString() });
      const statuses: number[] = [];
      while (statuses.at(-1) !== 402) statuses.push((await crowded.ask(statuses.length, key, asking.format, asking.fields)).status);
      expect(statuses).toEqual([200, 200, 200, 200, 200, 402]);
      const { available } = await deployment.balanceOf(account.id);
      expect(available).toBe(ServiceTokens.fromUnits(crowded.cost(FLOOR_OUTPUT) - crowded.cost(OUTPUT) + 1n).toString());
    }, 30_000);
  });

  it('ends a reply that costs more, and is then less than the cost of one more piece', async () => {
    deployment.upstream.always(UPSTREAM_MODEL, replies({ text: Array.from({ length: 400 }, (_, number) => ` word${number}`) }));
    const credit = crowded.cost(FLOOR_OUTPUT);
    const { account, key } = await deployment.addCaller({ planId: 'ample', credit: ServiceTokens.fromUnits(credit).toString() });
    const reply = await crowded.ask(0, key, CHAT, { ...WITHOUT_MAXIMUM, stream: true });
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
