import type { Request, Response } from 'express';
import {
  type AccountId, type Caller, type CancelSignal, type Clock, type ErrorCode, type GatewayError, type GenerationOutcome, type Instant, invariant, type PersonId,
  type RequestId, type UnbilledClaim, type WireFormat,
} from '@tollgate/core';
import type { ResponseHeaders } from '@tollgate/wire-kit';
import type { DiscardPace } from './discard-pace.js';

/** The reason a signal carries when its client went away before the reply was complete. */
export const CLIENT_LEFT = 'client-left';

interface HttpExchangeParts {
  readonly req: Request;
  readonly res: Response;
  readonly requestId: RequestId;
  readonly clientAddress: string;
  readonly clock: Clock;
  readonly startedAt: Instant;
  /** The format whose envelope an error of this request has. */
  readonly errorFormat: WireFormat;
  readonly discards: DiscardPace;
}

/** A person who uses the dashboard. */
interface SignedInPerson {
  readonly id: PersonId;
  readonly accountId: AccountId;
}

/** One request and its reply, from arrival until both the connection and the work are done with it. */
export class HttpExchange {
  readonly req: Request;
  readonly res: Response;
  readonly requestId: RequestId;
  readonly clientAddress: string;
  readonly clock: Clock;
  readonly startedAt: Instant;
  readonly errorFormat: WireFormat;
  /** Reads the rest of a body that is refused. */
  readonly discards: DiscardPace;
  /** Resolves when the reply is over and nothing works for it any more, whichever comes last. */
  readonly done: Promise<void>;
  /** The model as the client names it; `null` until the body is decoded, and for requests without a model. */
  requestedModel: string | null = null;
  /** Where a browser that shows what it gets is sent instead of an error; `null`: the error is the reply. */
  refusalPage: ((code: ErrorCode) => string) | null = null;
  readonly #signal: ExchangeSignal;
  #resolveDone: () => void = () => undefined;
  #stop: AbortController | null = null;
  #closed = false;
  #working = true;
  #caller: Caller | null = null;
  #refusedAccount: AccountId | null = null;
  #person: SignedInPerson | null = null;
  #unbilled: UnbilledClaim | null = null;
  #outcome: GenerationOutcome | null = null;
  #error: GatewayError | null = null;
  #statesQuota = false;
  #endpoint: string | null = null;

  constructor(opening: HttpExchangeParts) {
    this.req = opening.req;
    this.res = opening.res;
    this.requestId = opening.requestId;
    this.clientAddress = opening.clientAddress;
    this.clock = opening.clock;
    this.startedAt = opening.startedAt;
    this.errorFormat = opening.errorFormat;
    this.discards = opening.discards;
    this.#signal = new ExchangeSignal(opening.res);
    this.done = new Promise((resolve) => {
      this.#resolveDone = resolve;
    });
    this.res.on('close', () => this.close());
    // Without a listener, what the connection fails with would end the process.
    this.res.on('error', () => this.abort(CLIENT_LEFT));
  }

  /** `null` until the caller has been authenticated. */
  get caller(): Caller | null {
    return this.#caller;
  }

  /** Whose key came with it, also a key that is not accepted; `null` where none is known. */
  get accountId(): AccountId | null {
    return this.#caller?.account.id ?? this.#refusedAccount;
  }

  /** Who is signed in with the browser that sent it; `null` elsewhere than on the dashboard. */
  get person(): SignedInPerson | null {
    return this.#person;
  }

  /** Behind the authentication. */
  get authenticatedCaller(): Caller {
    invariant(this.#caller !== null, 'an endpoint is reached by authenticated requests only');
    return this.#caller;
  }

  /** What it counts as where it is not admitted; `null` until the caller has been authenticated. */
  get unbilled(): UnbilledClaim | null {
    return this.#unbilled;
  }

  /** `null` unless a generation was settled for this request. */
  get outcome(): GenerationOutcome | null {
    return this.#outcome;
  }

  /** The code of the error it was answered with, `null` as long as there is none. */
  get refusal(): ErrorCode | null {
    return this.#error?.code ?? null;
  }

  /** The error it was answered with, `null` as long as there is none. */
  get error(): GatewayError | null {
    return this.#error;
  }

  /** Whether its reply states the caller's limits even when it is an error. */
  get statesQuota(): boolean {
    return this.#statesQuota;
  }

  /** The path of the endpoint it is for, as it is declared; `null` for addresses without an endpoint. */
  get endpoint(): string | null {
    return this.#endpoint;
  }

  /** Aborted when the client leaves or the service stops; the reason tells which. */
  get signal(): CancelSignal {
    return this.#signal;
  }

  /** Aborted when the service stops, and not when the client leaves; for work that goes on without its client. */
  get stopSignal(): AbortSignal {
    this.#stop ??= new AbortController();
    if (this.signal.aborted && !this.clientLeft) this.#stop.abort(this.signal.reason);
    return this.#stop.signal;
  }

  get clientLeft(): boolean {
    return this.signal.aborted && this.signal.reason === CLIENT_LEFT;
  }

  /** Adds headers to the reply, also to an error. If a header is added twice, the last value counts. */
  addHeaders(headers: ResponseHeaders): void {
    for (const name in headers) this.res.setHeader(name, headers[name] ?? '');
  }

  reach(endpoint: string): void {
    this.#endpoint = endpoint;
  }

  identify(caller: Caller): void {
    this.#caller = caller;
  }

  /** The key is known and not accepted. */
  identifyRefused(accountId: AccountId | null): void {
    this.#refusedAccount = accountId;
  }

  identifyPerson(id: PersonId, accountId: AccountId): void {
    this.#person = { id, accountId };
  }

  /** It ends with the work for the request. */
  claim(unbilled: UnbilledClaim): void {
    this.#unbilled = unbilled;
  }

  /** From here on every reply states the caller's limits. */
  stateQuota(): void {
    this.#statesQuota = true;
  }

  refuse(error: GatewayError): void {
    this.#error = error;
  }

  note(outcome: GenerationOutcome): void {
    this.#outcome = outcome;
  }

  /** The first reason counts. */
  abort(reason: string): void {
    this.#signal.abort(reason);
    if (reason !== CLIENT_LEFT) this.#stop?.abort(reason);
  }

  /** Nothing works for the request any more. Repeating it changes nothing. */
  finishWork(): void {
    this.#working = false;
    this.#unbilled?.end();
    if (this.#closed) this.#resolveDone();
  }

  private close(): void {
    if (!this.res.writableFinished) this.abort(CLIENT_LEFT);
    this.#closed = true;
    if (!this.#working) this.#resolveDone();
  }
}

/**
 * Node reports a broken connection a turn late, and what is written to it in that turn is lost.
 * So `aborted` looks at the connection itself: the core charges what it hands out, and hands out nothing once this is true.
 */
class ExchangeSignal implements CancelSignal {
  readonly #controller = new AbortController();

  constructor(private readonly res: Response) {}

  get aborted(): boolean {
    if (this.connectionIsLost()) this.abort(CLIENT_LEFT);
    return this.#controller.signal.aborted;
  }

  get reason(): unknown {
    return this.#controller.signal.reason;
  }

  addEventListener(type: 'abort', listener: () => void): void {
    this.#controller.signal.addEventListener(type, listener);
  }

  removeEventListener(type: 'abort', listener: () => void): void {
    this.#controller.signal.removeEventListener(type, listener);
  }

  /** The first reason counts. */
  abort(reason: string): void {
    this.#controller.abort(reason);
  }

  private connectionIsLost(): boolean {
    const { socket, writableEnded } = this.res;
    return !writableEnded && socket !== null && !socket.writable;
  }
}
