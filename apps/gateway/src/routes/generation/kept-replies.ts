import {
  type AccountId, BYTES_PER_UNIT, type Clock, type CompletedGeneration, type DecodeTerms, type EncodeContext, GatewayError, type GenerationEventBatch, later,
  ReplyCollector, RESPONSES_PER_FIND, type ResponseStore, STORED_BYTES_OF_REQUEST_MAXIMUM, type StoredReferences, type StoredResponse, type StoringFormat,
  type UnbilledClaim,
} from '@tollgate/core';
import type { Logger } from 'pino';
import { TurnQueue } from '../../http/json-body-reader.js';
import { type Endpoint, plainEndpoint, readEndpoint } from '../../http/middleware/endpoint.js';
import { pathParameter } from '../../http/request-target.js';
import { sendJson, sendJsonText } from '../../http/reply/send-json.js';

type Events = AsyncIterableIterator<GenerationEventBatch, undefined>;

type Found = Pick<DecodeTerms, 'stored' | 'exceedsStored'>;

const NOTHING: Found = { stored: new Map(), exceedsStored: false };

interface KeptRepliesPorts {
  readonly responses: ResponseStore;
  readonly format: StoringFormat;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Parsing and decoding stored responses of fewer characters takes less than the turn of a body of that size. */
const LARGE_CHARACTERS = 131_072;

/** Who sends a request, and what its work is counted against before it is admitted. */
export interface Sender {
  readonly accountId: AccountId;
  readonly unbilled: UnbilledClaim | null;
}

/** Keeps replies of a format for later requests of the same account, and finds what these refer to. */
export class KeptReplies {
  readonly #turns = new TurnQueue();

  /** @param keepMilliseconds 0 keeps nothing. */
  constructor(private readonly ports: KeptRepliesPorts, private readonly keepMilliseconds: number) {}

  /** What to decode a body with: at once where it refers to nothing, as most do. */
  termsFor(sender: Sender, body: unknown): DecodeTerms | Promise<DecodeTerms> {
    const { accountId } = sender;
    const keepsReplies = this.keepMilliseconds > 0;
    const references = this.ports.format.referencesIn(body);
    if (references.previousId === null && references.responseIds.length === 0) return { accountId, keepsReplies, ...NOTHING };
    return this.load(sender, references).then(({ stored, exceedsStored }) => ({ accountId, keepsReplies, stored, exceedsStored }));
  }

  /** The same events. The reply is kept when it is complete, before its end is handed out. */
  keeping(events: Events, accountId: AccountId, context: EncodeContext): Events {
    if (!this.ports.format.wantsKeeping(context)) return events;
    return new KeepingStream(events, (completed) => this.keep(accountId, completed, context));
  }

  /** Has the reply say whether it is kept. Never rejects: a reply that cannot be kept is sent all the same. */
  private async keep(accountId: AccountId, completed: CompletedGeneration, context: EncodeContext): Promise<void> {
    const { responses, format, clock, log } = this.ports;
    const form = format.keptForm(completed, context);
    if (form === null) return;
    try {
      if (await responses.keep({ ...form, accountId, expiresAt: later(clock.now(), this.keepMilliseconds) })) format.markKept(context, form);
    } catch (err) {
      log.error({ requestId: context.requestId, err }, 'a response could not be stored; it says store: false');
    }
  }

  /** Reads no more than one request may bring in, and at most as much beyond it. */
  private async load({ accountId, unbilled }: Sender, { previousId, responseIds }: StoredReferences): Promise<Found> {
    const { responses, clock } = this.ports;
    const at = clock.now();
    const found = new FoundResponses(unbilled);
    const chain = previousId === null ? null : await responses.chain(accountId, previousId, at);
    if (chain?.outcome === 'too-large') return { ...NOTHING, exceedsStored: true };
    for (const response of chain?.outcome === 'found' ? chain.responses : []) found.add(response);
    const others = responseIds.filter((id) => !found.stored.has(id));
    for (let first = 0; first < others.length && !found.exceedsStored; first += RESPONSES_PER_FIND) {
      found.ask();
      found.addAll(await responses.findAll(accountId, others.slice(first, first + RESPONSES_PER_FIND), at));
    }
    // They are parsed and decoded next, as a large body is: in a turn of the event loop of their own.
    if (found.characters > LARGE_CHARACTERS) await this.#turns.run(() => undefined);
    return found;
  }
}

/** Responses of one request, as many as it may bring in. Their size counts as that of its body does. */
class FoundResponses implements Found {
  readonly stored = new Map<string, StoredResponse>();
  exceedsStored = false;
  characters = 0;

  constructor(private readonly unbilled: UnbilledClaim | null) {}

  /** A look for responses costs about what a request does, also where there are none. */
  ask(): void {
    this.unbilled?.take(BYTES_PER_UNIT);
    this.unbilled?.check();
  }

  /** Adds responses up to the first that there is no room for. */
  addAll(responses: readonly StoredResponse[]): void {
    responses.every((response) => this.add(response));
  }

  /** Returns whether there was room for it. */
  add(response: StoredResponse): boolean {
    const characters = response.inputItems.length + response.outputItems.length + response.body.length;
    this.unbilled?.take(characters);
    this.unbilled?.check();
    this.characters += characters;
    this.exceedsStored = this.characters > STORED_BYTES_OF_REQUEST_MAXIMUM;
    if (!this.exceedsStored) this.stored.set(response.id, response);
    return !this.exceedsStored;
  }
}

/** A generation whose reply is collected on its way, and kept before its end is handed out. */
class KeepingStream implements Events {
  readonly #collector = new ReplyCollector();

  constructor(private readonly events: Events, private readonly keep: (completed: CompletedGeneration) => Promise<void>) {}

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<GenerationEventBatch, undefined>> {
    const step = await this.events.next();
    const completed = step.done === true ? null : this.#collector.add(step.value);
    if (completed !== null) await this.keep(completed);
    return step;
  }

  async return(): Promise<IteratorResult<GenerationEventBatch, undefined>> {
    await this.events.return?.();
    return { done: true, value: undefined };
  }
}

/** `GET` and `DELETE /v1/responses/{id}`: the account's own stored responses. */
export function responseEndpoints(responses: ResponseStore, clock: Pick<Clock, 'now'>): readonly Endpoint[] {
  const path = '/v1/responses/:responseId';
  return [
    readEndpoint(path, async (exchange, { account }) => {
      const found = await responses.find(account.id, pathParameter(exchange, 'responseId'), clock.now());
      if (found === null) throw notStored();
      sendJsonText(exchange, 200, found.body);
    }),
    plainEndpoint('delete', path, async (exchange, { account }) => {
      const id = pathParameter(exchange, 'responseId');
      if (!await responses.remove(account.id, id, clock.now())) throw notStored();
      sendJson(exchange, 200, { id, object: 'response', deleted: true });
    }),
  ];
}

function notStored(): GatewayError {
  return new GatewayError('not_found', 'No response with this id is stored. Responses are stored for a limited time, unless their request says store: false.', { param: 'response_id' });
}
