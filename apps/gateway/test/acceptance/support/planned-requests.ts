import type { JsonObject } from '@tollgate/core';
import { answersHtml, answersStatus, type Behaviour, breaksAfter, type Breakage, Gate, replies, resetsBeforeHeaders, type ScriptedReply, SeededRandom } from '@tollgate/testkit';
import { type Delivery, DELIVERIES, type Format, FORMATS } from './formats.js';

export const FATES = ['served', 'left', 'fails-before', 'fails-midway'] as const;
export type Fate = (typeof FATES)[number];

/** A request with all that will happen to it. */
export interface PlannedRequest {
  readonly number: number;
  readonly format: Format;
  readonly delivery: Delivery;
  readonly fate: Fate;
  /** Index of the caller. */
  readonly caller: number;
  readonly model: string;
  readonly body: JsonObject;
  /** Pieces of output, one chunk each. */
  readonly pieces: readonly string[];
  readonly behaviour: Behaviour;
  /** Gate n opens when the client has received piece n, and lets the upstream send piece n + 1. */
  readonly gates: readonly Gate[];
  readonly leavesAfterBytes: number;
  readonly leavesBy: 'close' | 'reset';
}

export interface PlanOptions {
  readonly seed: number;
  readonly requests: number;
  readonly callers: number;
  /** Number of models, called `m0`, `m1` …. They fail in turn, so that no circuit opens. */
  readonly models: number;
}

const WORDS = ['one', ' two', ' three\n', ' "four"', ' fünf', ' 六', ' 🙂', ' data: ', '\\', ' and so on, and on, and on'];
const LONG_PIECE = 1500;

/** Probabilities of the kinds of requests. */
const SHARES = { left: 0.28, failsBefore: 0.14, failsMidway: 0.16, long: 0.08, unreported: 0.4, held: 0.5 };

class Dealer {
  #failures = 0;

  constructor(private readonly random: SeededRandom, private readonly options: PlanOptions) {}

  request(number: number): PlannedRequest {
    const { random } = this;
    const fate = this.#fate();
    const format = random.pick(FORMATS);
    const delivery = random.pick(DELIVERIES);
    const model = this.#model(fate);
    const pieces = this.#pieces();
    const leavesAfterBytes = fate === 'left' ? this.#bytes(pieces) : Infinity;
    const gates = fate === 'left' && delivery === 'stream' ? pieces.map(() => new Gate()) : [];
    return {
      number,
      format,
      delivery,
      fate,
      caller: number % this.options.callers,
      model,
      body: format.body(model, `Request ${number}.`, { max_tokens: random.pick([500, 4096, 9000]), stream: delivery === 'stream' }),
      pieces,
      behaviour: this.#behaviour({ fate, gates, leavesAfterBytes, reply: this.#reply(pieces) }),
      gates,
      leavesAfterBytes,
      leavesBy: random.pick(['close', 'reset']),
    };
  }

  #fate(): Fate {
    const dealt = this.random.fraction();
    if (dealt < SHARES.left) return 'left';
    if (dealt < SHARES.left + SHARES.failsBefore) return 'fails-before';
    return dealt < SHARES.left + SHARES.failsBefore + SHARES.failsMidway ? 'fails-midway' : 'served';
  }

  #model(fate: Fate): string {
    const { models } = this.options;
    if (fate === 'served' || fate === 'left') return `m${this.random.between(0, models - 1)}`;
    this.#failures += 1;
    return `m${this.#failures % models}`;
  }

  #pieces(): readonly string[] {
    const { random } = this;
    if (random.fraction() < SHARES.long) return Array.from({ length: random.between(2, 5) }, () => random.pick(['a', 'é', '六']).repeat(LONG_PIECE));
    return Array.from({ length: random.between(1, 8) }, () => Array.from({ length: random.between(1, 6) }, () => random.pick(WORDS)).join(''));
  }

  /** Number of bytes after which a client disconnects: from 0 to beyond the end of the reply. */
  #bytes(pieces: readonly string[]): number {
    const { random } = this;
    return random.fraction() < 0.1 ? 0 : random.between(1, 800 + 300 * pieces.length);
  }

  #reply(pieces: readonly string[]): ScriptedReply {
    const output = Math.max(1, Math.ceil(pieces.join('').length / 2));
    const prompt = this.random.between(8, 40);
    const usage = {
      prompt_tokens: prompt, completion_tokens: output, total_tokens: prompt + output, prompt_tokens_details: { cached_tokens: this.random.between(0, 8) },
    };
    return { text: pieces, usage, usagePlace: this.random.fraction() < SHARES.unreported ? 'nowhere' : 'last-chunk' };
  }

  #behaviour({ fate, gates, leavesAfterBytes, reply }: Pick<PlannedRequest, 'fate' | 'gates' | 'leavesAfterBytes'> & { readonly reply: ScriptedReply }): Behaviour {
    const { random } = this;
    switch (fate) {
      case 'served': return replies(reply);
      case 'left': {
        // Frame 0 states the role, frame n is piece n, and the finish reason follows the last piece.
        const inStep = gates.map((gate, position) => ({ before: position + 2, gate }));
        const held = leavesAfterBytes === 0 && random.fraction() < SHARES.held ? [{ before: 'headers' as const, gate: new Gate() }] : [];
        return replies(reply, { pauses: [...held, ...inStep] });
      }
      case 'fails-before': return random.pick([answersStatus(500), answersStatus(429), answersHtml(), resetsBeforeHeaders(), breaksAfter(1, 'end')]);
      case 'fails-midway': {
        const breakage = random.pick<Breakage>(['reset', 'end', { error: { message: 'out of memory', code: 500 } }]);
        return breaksAfter(random.between(2, 1 + (reply.text?.length ?? 1)), breakage, reply);
      }
    }
  }
}

/** The same seed gives the same plan. */
export function planRequests(options: PlanOptions): readonly PlannedRequest[] {
  const dealer = new Dealer(new SeededRandom(options.seed), options);
  return Array.from({ length: options.requests }, (_, number) => dealer.request(number));
}
