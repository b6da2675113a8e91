import {
  type AccountId, BYTES_PER_UNIT, type Clock, type CompletedGeneration, type DecodeTerms, type EncodeContext, type GenerationEventBatch, later,
  MAX_STORED_BYTES_OF_REQUEST, ReplyCollector, RESPONSES_PER_FIND, type ResponseStore, type StoredReferences, type StoredResponse, type StoringFormat,
  type UnbilledClaim,
} from '@tollgate/core';
import type { Logger } from 'pino';
import { TurnQueue } from '../../http/turn-queue.js';
import type { Sender, StoredLoad, StoredLoads } from './stored-loads.js';

type Events = AsyncIterableIterator<GenerationEventBatch, undefined>;

/** Terms of decoding that depend on the caller and its stored replies. */
export type CallerTerms = Omit<DecodeTerms, 'limits'>;

type Found = Pick<DecodeTerms, 'stored' | 'exceedsStored'> & { readonly bytes: number };

const NOTHING: Found = { stored: new Map(), exceedsStored: false, bytes: 0 };

/** Terms for formats that store no replies. */
export function termsWithoutReplies(accountId: AccountId): CallerTerms {
  return { ...NOTHING, accountId, keepsReplies: false };
}

interface KeptRepliesPorts {
  readonly responses: ResponseStore;
  readonly loads: StoredLoads;
  readonly format: StoringFormat;
  readonly clock: Clock;
  readonly log: Logger;
  /** Called for each response that was to be stored and was not. */
  readonly onNotStored?: () => void;
}

/** Texts up to this size are parsed within one turn of the event loop. */
const LARGE_BYTES = 131_072;

/** Stores replies, and resolves references of the same account. */
export class KeptReplies {
  readonly #turns = new TurnQueue();

  /** @param keepMilliseconds Retention of a reply; 0 stores none. */
  constructor(private readonly ports: KeptRepliesPorts, private readonly keepMilliseconds: number) {}

  /**
   * Decodes a body, synchronously if it has no references; otherwise when it is the turn of the account, and there is room for the referenced data.
   */
  decodeWith<T>(sender: Sender, body: unknown, decode: (terms: CallerTerms) => T | Promise<T>): T | Promise<T> {
    const { accountId } = sender;
    const keepsReplies = this.keepMilliseconds > 0;
    const references = this.ports.format.referencesIn(body);
    if (references.previousId === null && references.responseIds.length === 0) return decode({ ...NOTHING, accountId, keepsReplies });
    return this.ports.loads.run(sender, async (load) => {
      const found = await this.load({ sender, load }, references);
      const { stored, exceedsStored } = found;
      const texts = this.ports.format.textsOf(references, found);
      // Large texts are parsed first, one part per turn of the event loop; the request is decoded in a further turn.
      if (found.bytes > LARGE_BYTES) while (await this.#turns.run(accountId, () => texts.parseSome(LARGE_BYTES)));
      return decode({ accountId, keepsReplies, stored, exceedsStored, texts });
    });
  }

  /** Relays the events, and stores the complete reply before its end is sent. */
  keeping(events: Events, accountId: AccountId, context: EncodeContext): Events {
    if (!this.ports.format.wantsKeeping(context)) return events;
    return new KeepingStream(events, (completed) => this.keep(accountId, completed, context));
  }

  /** Stores the reply, and marks in it that it is stored. Never rejects: the reply is sent in any case. */
  private async keep(accountId: AccountId, completed: CompletedGeneration, context: EncodeContext): Promise<void> {
    const { responses, format, clock, log, onNotStored } = this.ports;
    const form = format.keptForm(completed, context);
    if (form === null) return;
    if (completed.settlement.balance === null) {
      // The client already waited for a database that accepts no writes, and would wait as long again.
      onNotStored?.();
      log.warn({ requestId: context.requestId }, 'a response is not stored while its settlement is pending; the client receives it with store: false');
      return;
    }
    try {
      if (await responses.keep({ ...form, accountId, expiresAt: later(clock.now(), this.keepMilliseconds) })) format.markKept(context, form);
    } catch (err) {
      onNotStored?.();
      log.error({ requestId: context.requestId, err }, 'a response could not be stored; the client receives it with store: false');
    }
  }

  /** Loads the referenced responses, at most as many bytes as one request may refer to. Takes units and room for their size before it reads them. */
  private async load({ sender: { accountId, unbilled }, load }: Loading, { previousId, responseIds }: StoredReferences): Promise<Found> {
    const { responses, clock } = this.ports;
    const at = clock.now();
    const found = new FoundResponses(unbilled);
    const size = previousId === null ? null : await responses.chainSize(accountId, previousId, at);
    if (size?.outcome === 'too-large') return { ...NOTHING, exceedsStored: true };
    if (previousId !== null && size?.outcome === 'found') {
      await load.take(size.bytes);
      const chain = await responses.chain(accountId, previousId, at);
      found.addAll(chain.outcome === 'found' ? chain.responses : [], size.bytes);
    }
    const others = responseIds.filter((id) => !found.stored.has(id));
    for (let first = 0; first < others.length && !found.exceedsStored; first += RESPONSES_PER_FIND) {
      found.ask();
      const ids = others.slice(first, first + RESPONSES_PER_FIND);
      const bytes = await responses.sizeOf(accountId, ids, at);
      if (!found.hasRoomFor(bytes)) break;
      await load.take(bytes);
      found.addAll(await responses.findAll(accountId, ids, at), bytes);
    }
    return found;
  }
}

interface Loading {
  readonly sender: Sender;
  readonly load: StoredLoad;
}

/** Stored responses found for one request, up to its maximum of bytes. */
class FoundResponses implements Found {
  readonly stored = new Map<string, StoredResponse>();
  exceedsStored = false;
  bytes = 0;

  constructor(private readonly unbilled: UnbilledClaim | null) {}

  /** Takes one unit for a look-up, even if it finds no response, because it costs about as much as a request. */
  ask(): void {
    this.unbilled?.take(BYTES_PER_UNIT);
    this.unbilled?.check();
  }

  /** False if these bytes would exceed the maximum of the request; `exceedsStored` is then true. */
  hasRoomFor(bytes: number): boolean {
    this.exceedsStored = this.bytes + bytes > MAX_STORED_BYTES_OF_REQUEST;
    return !this.exceedsStored;
  }

  addAll(responses: readonly StoredResponse[], bytes: number): void {
    this.bytes += bytes;
    for (const response of responses) this.stored.set(response.id, response);
  }
}

/** Collects the reply while it is relayed, and stores it before its end is sent. */
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
