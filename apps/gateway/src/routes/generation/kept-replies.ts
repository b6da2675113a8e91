import {
  type AccountId, type Clock, type CompletedGeneration, type DecodeTerms, type EncodeContext, GatewayError, type GenerationEventBatch, later,
  ReplyCollector, type ResponseStore, type StoredReferences, type StoredResponse, type StoringFormat,
} from '@tollgate/core';
import type { Logger } from 'pino';
import { type Endpoint, plainEndpoint, readEndpoint } from '../../http/middleware/endpoint.js';
import { pathParameter } from '../../http/request-target.js';
import { sendJson, sendJsonText } from '../../http/reply/send-json.js';

type Events = AsyncIterableIterator<GenerationEventBatch, undefined>;

const NONE_STORED: ReadonlyMap<string, StoredResponse> = new Map();

export interface KeptRepliesPorts {
  readonly responses: ResponseStore;
  readonly format: StoringFormat;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Keeps replies of a format for later requests of the same account, and finds what these refer to. */
export class KeptReplies {
  /** @param keepMilliseconds 0 keeps nothing. */
  constructor(private readonly ports: KeptRepliesPorts, private readonly keepMilliseconds: number) {}

  /** What to decode a body with: at once where it refers to nothing, as most do. */
  termsFor(accountId: AccountId, body: unknown): DecodeTerms | Promise<DecodeTerms> {
    const references = this.ports.format.referencesIn(body);
    if (references.previousId === null && references.responseIds.length === 0) return { accountId, stored: NONE_STORED };
    return this.load(accountId, references).then((stored) => ({ accountId, stored }));
  }

  /** The same events. The reply is kept when it is complete, before its end is handed out. */
  keeping(events: Events, accountId: AccountId, context: EncodeContext): Events {
    if (this.keepMilliseconds === 0 || !this.ports.format.wantsKeeping(context)) return events;
    return new KeepingStream(events, (completed) => this.keep(accountId, completed, context));
  }

  /** Has the reply say whether it is kept. Never rejects: a reply that cannot be kept is sent all the same. */
  private async keep(accountId: AccountId, completed: CompletedGeneration, context: EncodeContext): Promise<void> {
    const { responses, format, clock, log } = this.ports;
    const form = format.keptForm(completed, context);
    if (form === null) return;
    try {
      if (await responses.keep({ ...form, accountId, expiresAt: later(clock.now(), this.keepMilliseconds) })) format.markKept(context);
    } catch (err) {
      log.error({ requestId: context.requestId, err }, 'a response could not be stored; its client is told that it is not');
    }
  }

  private async load(accountId: AccountId, { previousId, responseIds }: StoredReferences): Promise<ReadonlyMap<string, StoredResponse>> {
    const { responses, clock } = this.ports;
    const at = clock.now();
    const stored = new Map<string, StoredResponse>();
    const chain = previousId === null ? null : await responses.chain(accountId, previousId, at);
    for (const response of chain ?? []) stored.set(response.id, response);
    for (const id of responseIds) {
      if (stored.has(id)) continue;
      const found = await responses.find(accountId, id, at);
      if (found !== null) stored.set(id, found);
    }
    return stored;
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
