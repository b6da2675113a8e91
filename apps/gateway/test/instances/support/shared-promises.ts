import { invariant, type JsonObject, ServiceTokens } from '@tollgate/core';
import { Gate, replies, SeededRandom } from '@tollgate/testkit';
import { CHAT, DELIVERIES, FORMATS } from '../../acceptance/support/formats.js';
import { Crowd } from './crowd.js';
import type { Deployment } from './deployment.js';
import { MODEL, UPSTREAM_MODEL } from './shared-catalogue.js';

/** Gateways to send requests to, in this process or in others. */
export interface AskedGateways {
  readonly deployment: Deployment;
  readonly urls: readonly string[];
  readonly crowd: Crowd;
}

/** Number of replies by status and code. */
export type Outcomes = Readonly<Record<string, number>>;

const OUTPUT_TOKENS = 50;

function urlOf({ urls }: AskedGateways, number: number): string {
  const url = urls[number % urls.length];
  invariant(url !== undefined, 'there is at least one gateway');
  return url;
}

async function counted(replying: readonly ReturnType<Crowd['ask']>[]): Promise<Outcomes> {
  const outcomes: Record<string, number> = {};
  for (const reply of await Promise.all(replying)) {
    const outcome = reply.status === 200 ? '200' : `${reply.status} ${Crowd.codeOf(reply) ?? ''}`;
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  }
  return outcomes;
}

/** Sends `count` requests of a new account, each to the next gateway. Replies wait until every other request is at the upstream or refused. */
export async function askTogether(asked: AskedGateways, planId: string, count: number): Promise<Outcomes> {
  const { deployment, crowd } = asked;
  const { key } = await deployment.addCaller({ planId, credit: '1000000' });
  const gate = new Gate();
  let [arrived, refused] = [0, 0];
  const openWhenAllAreIn = (): void => {
    if (arrived + refused === count) gate.open();
  };
  deployment.upstream.always(UPSTREAM_MODEL, (request) => {
    arrived += 1;
    openWhenAllAreIn();
    return replies({ text: ['Served.'] }, { pauses: [{ before: 2, gate }] })(request);
  });
  const body = CHAT.body(MODEL, 'One of many.', { stream: true });
  return counted(Array.from({ length: count }, async (_, number) => {
    const reply = await crowd.ask({ url: `${urlOf(asked, number)}${CHAT.path}`, key, body });
    if (reply.status !== 200) refused += 1;
    openWhenAllAreIn();
    return reply;
  }));
}

/** Outcome of a round; the balance paid for `worth` of the concurrent requests. */
export interface SpentBalance {
  readonly worth: number;
  readonly outcomes: Outcomes;
  readonly upstreamCalls: number;
  readonly usageRecords: number;
  readonly reserved: string;
  readonly available: string;
  /** Expected available balance after the round. */
  readonly rest: string;
}

const WORTH = { least: 1, most: 40 };

/** Rounds of concurrent requests that exceed the balance of an account, in all formats and deliveries in turn. */
export class BalanceRounds {
  readonly #random: SeededRandom;
  #promptTokens = 0;
  #costUnits = 0n;
  #round = 0;

  constructor(private readonly asked: AskedGateways, seed: number) {
    this.#random = new SeededRandom(seed);
  }

  /** Determines the cost of every request of the rounds, which equals its reservation. */
  async prepare(): Promise<void> {
    const { deployment, crowd } = this.asked;
    const { key } = await deployment.addCaller({ planId: 'ample', credit: '1' });
    const body = { model: MODEL, messages: [{ role: 'user', content: 'One of many.' }] };
    const reply = await crowd.ask({ url: `${urlOf(this.asked, 0)}/v1/messages/count_tokens`, key, body });
    this.#promptTokens = Number((JSON.parse(reply.body) as JsonObject)['input_tokens']);
    this.#costUnits = BigInt(this.#promptTokens * 1000 + OUTPUT_TOKENS * 2000);
    const usage = { prompt_tokens: this.#promptTokens, completion_tokens: OUTPUT_TOKENS, total_tokens: this.#promptTokens + OUTPUT_TOKENS };
    deployment.upstream.always(UPSTREAM_MODEL, replies({ text: ['Served.'], usage }));
  }

  async spend(requests: number): Promise<SpentBalance> {
    const { deployment, crowd } = this.asked;
    const worth = this.#random.between(WORTH.least, WORTH.most);
    // The rest is at least one micro-token less than the price of another request.
    const rest = BigInt(this.#random.between(0, Number(this.#costUnits - 1n)));
    const credit = ServiceTokens.fromUnits(this.#costUnits * BigInt(worth) + rest).toString();
    const { account, key } = await deployment.addCaller({ planId: 'ample', credit });
    const callsBefore = deployment.upstream.requests.length;
    const { path, body } = this.#nextRequest();
    const outcomes = await counted(Array.from({ length: requests }, (_, number) => crowd.ask({ url: `${urlOf(this.asked, number)}${path}`, key, body })));
    const { available, reserved } = await deployment.balanceOf(account.id);
    return {
      worth, outcomes, reserved,
      upstreamCalls: deployment.upstream.requests.length - callsBefore,
      usageRecords: (await deployment.recordsOf(account.id)).length,
      available,
      rest: ServiceTokens.fromUnits(rest).toString(),
    };
  }

  #nextRequest(): { readonly path: string; readonly body: JsonObject } {
    const format = FORMATS[this.#round % FORMATS.length] ?? CHAT;
    const delivery = DELIVERIES[Math.floor(this.#round / FORMATS.length) % DELIVERIES.length];
    this.#round += 1;
    return { path: format.path, body: format.body(MODEL, 'One of many.', { max_tokens: OUTPUT_TOKENS, stream: delivery === 'stream' }) };
  }
}
