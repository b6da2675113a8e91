import type { Socket } from 'node:net';
import type { Request, Response } from 'express';
import {
  type AccountId, type Caller, type CancelSignal, type Clock, type ErrorCode, GatewayError, type GenerationOutcome, type Instant, invariant, type PersonId,
  type RequestId, TransientMap, type UnbilledClaim, type WireFormat,
} from '@tollgate/core';
import type { ResponseHeaders } from '@tollgate/wire-kit';
import { CLIENT_LEFT, ExchangeSignal } from './exchange-signal.js';
import type { DiscardPace } from './read-body.js';

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
    this.res.once('close', () => this.close());
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

  /** Adds headers to the reply, whatever becomes of it. Of a header that is added twice, the last value counts. */
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

/** The requests this process is answering at the moment. */
export class RunningExchanges {
  readonly #running = new TransientMap<RequestId, HttpExchange>();
  #whenIdle: (() => void)[] = [];
  #started = 0;

  /** Requests that ever began. */
  get started(): number {
    return this.#started;
  }

  get size(): number {
    return this.#running.size;
  }

  add(exchange: HttpExchange): void {
    this.#started += 1;
    this.#running.set(exchange.requestId, exchange);
  }

  delete(exchange: HttpExchange): void {
    this.#running.delete(exchange.requestId);
    if (this.#running.size > 0) return;
    for (const resolve of this.#whenIdle.splice(0)) resolve();
  }

  find(requestId: RequestId): HttpExchange | null {
    return this.#running.get(requestId) ?? null;
  }

  /** Whether a reply has begun on a connection and is not over. Looks at every running request: for connections in trouble only. */
  hasReplyOn(socket: Socket): boolean {
    return [...this.#running.values()].some(({ req, res }) => req.socket === socket && res.headersSent);
  }

  abortAll(reason: string): void {
    for (const exchange of this.#running.values()) exchange.abort(reason);
  }

  /** Resolves when no request is being answered: at once if none is. */
  idle(): Promise<void> {
    if (this.#running.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#whenIdle.push(resolve);
    });
  }
}

/** Whether the service still takes work on. Closed for good once the service begins to stop. */
export class AdmissionGate {
  #open = true;

  get isOpen(): boolean {
    return this.#open;
  }

  close(): void {
    this.#open = false;
  }

  /** Throws `provider_unavailable` once the service is stopping. */
  check(): void {
    if (this.#open) return;
    throw new GatewayError('provider_unavailable', 'The service is restarting. Please try again.');
  }
}
