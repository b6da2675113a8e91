import type { JsonObject } from '@tollgate/core';
import { Gate, replies } from '@tollgate/testkit';
import type { Format } from '../../acceptance/support/formats.js';
import { Crowd, type CrowdReply } from './crowd.js';
import { Deployment } from './deployment.js';
import type { SetUp } from './set-up.js';
import { MODEL, sharedCatalogue, UPSTREAM_MODEL } from './shared-catalogue.js';

/** The prompt of every request. */
const PROMPT = 'One of many.';

/** A deployment that many clients ask at once. Close it after the test. */
export class CrowdedDeployment {
  private readonly crowd = new Crowd();
  #promptTokens = 0;

  private constructor(readonly deployment: Deployment) {}

  static async start(setUp: SetUp): Promise<CrowdedDeployment> {
    const crowded = new CrowdedDeployment(await Deployment.start({ setUp, catalogue: sharedCatalogue }));
    const { key } = await crowded.deployment.addCaller({ planId: 'ample', credit: '1' });
    const reply = await crowded.crowd.ask({ url: crowded.urlOf(0, '/v1/messages/count_tokens'), key, body: { model: MODEL, messages: [{ role: 'user', content: PROMPT }] } });
    crowded.#promptTokens = Number((JSON.parse(reply.body) as JsonObject)['input_tokens']);
    return crowded;
  }

  /** Cost of a request with this many output tokens, in micro-units. */
  cost(output: number): bigint {
    return BigInt(this.#promptTokens * 1000 + output * 2000);
  }

  /** The usage that the upstream reports for this many output tokens. */
  usage(output: number): JsonObject {
    return { prompt_tokens: this.#promptTokens, completion_tokens: output, total_tokens: this.#promptTokens + output };
  }

  /** Sends a request to the gateway with this number. */
  ask(number: number, key: string, format: Format, fields: JsonObject): Promise<CrowdReply> {
    return this.crowd.ask({ url: this.urlOf(number, format.path), key, body: format.body(MODEL, PROMPT, fields) });
  }

  /** Sends all requests at once. Replies, each with this many output tokens, wait until every other request is at the upstream or refused. */
  async askAtOnce(requests: number, output: number, ask: (number: number) => Promise<CrowdReply>): Promise<readonly CrowdReply[]> {
    const gate = new Gate();
    let [arrived, refused] = [0, 0];
    const openWhenAllAreIn = (): void => {
      if (arrived + refused === requests) gate.open();
    };
    this.deployment.upstream.always(UPSTREAM_MODEL, (request) => {
      arrived += 1;
      openWhenAllAreIn();
      return replies({ text: ['Served.'], usage: this.usage(output) }, { pauses: [{ before: 'headers', gate }] })(request);
    });
    return Promise.all(Array.from({ length: requests }, async (_, number) => {
      const reply = await ask(number);
      if (reply.status !== 200) refused += 1;
      openWhenAllAreIn();
      return reply;
    }));
  }

  private urlOf(number: number, path: string): string {
    return `${this.deployment.gateway(number).url}${path}`;
  }

  async close(): Promise<void> {
    this.crowd.close();
    await this.deployment.close();
  }
}
