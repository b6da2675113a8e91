import { validateHeaderValue } from 'node:http';
import type { Request, Response } from 'express';
import {
  type AccountId, type Caller, type CancelSignal, type Clock, type ErrorCode, type GatewayError, type GenerationOutcome, type Instant, invariant, type MachineId, type PersonId,
  type RequestId, type UnbilledClaim, type WireFormat,
} from '@tollgate/core';
import type { ResponseHeaders } from '@tollgate/wire-kit';
import type { DiscardPace } from './discard-pace.js';
import { CLIENT_LEFT, ExchangeSignal } from './exchange-signal.js';

interface HttpExchangeParts {
  readonly req: Request;
  readonly res: Response;
  readonly requestId: RequestId;
  readonly clientAddress: string;
  readonly clock: Clock;
  readonly startedAt: Instant;
  readonly errorFormat: WireFormat;
  readonly discards: DiscardPace;
  /** Called once, at the end of the reply and of all work. */
  readonly onDone: (exchange: HttpExchange) => void;
}

interface SignedInPerson {
  readonly id: PersonId;
  readonly accountId: AccountId;
}

/** A request and its reply, until connection and work have ended. */
export class HttpExchange {
  readonly req: Request;
  readonly res: Response;
  readonly requestId: RequestId;
  readonly clientAddress: string;
  readonly clock: Clock;
  readonly startedAt: Instant;
  readonly errorFormat: WireFormat;
  readonly discards: DiscardPace;
  /** The model as the client names it; `null` before decoding, and without a model. */
  requestedModel: string | null = null;
  /** Creates the page that browsers get instead of the error; `null` if they get the error itself. */
  refusalPage: ((code: ErrorCode) => string) | null = null;
  readonly #headers: Record<string, string> = {};
  readonly #signal: ExchangeSignal;
  readonly #onDone: (exchange: HttpExchange) => void;
  #stop: AbortController | null = null;
  #closed = false;
  #working = true;
  #caller: Caller | null = null;
  #refusedAccount: AccountId | null = null;
  #person: SignedInPerson | null = null;
  #machineId: MachineId | null = null;
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
    this.#onDone = opening.onDone;
    this.res.on('close', () => this.close());
    // Without a listener, a connection error would end the process.
    this.res.on('error', () => this.abort(CLIENT_LEFT));
  }

  /** `null` before authentication. */
  get caller(): Caller | null {
    return this.#caller;
  }

  /** Account of the sent key, even if the key is not accepted; `null` if unknown. */
  get accountId(): AccountId | null {
    return this.#caller?.account.id ?? this.#refusedAccount;
  }

  /** `null` outside of the dashboard. */
  get person(): SignedInPerson | null {
    return this.#person;
  }

  /** `null` except under `/admin/v1`. */
  get machineId(): MachineId | null {
    return this.#machineId;
  }

  /** Throws before authentication. */
  get authenticatedCaller(): Caller {
    invariant(this.#caller !== null, 'an endpoint is reached by authenticated requests only');
    return this.#caller;
  }

  /** `null` before authentication. */
  get unbilled(): UnbilledClaim | null {
    return this.#unbilled;
  }

  /** `null` unless a generation was settled. */
  get outcome(): GenerationOutcome | null {
    return this.#outcome;
  }

  get refusal(): ErrorCode | null {
    return this.#error?.code ?? null;
  }

  get error(): GatewayError | null {
    return this.#error;
  }

  /** True if error replies also state the caller's limits. */
  get statesQuota(): boolean {
    return this.#statesQuota;
  }

  /** Declared path of the endpoint; `null` for unknown addresses. */
  get endpoint(): string | null {
    return this.#endpoint;
  }

  /** Aborted when the client disconnects or the gateway stops; `reason` tells which. */
  get signal(): CancelSignal {
    return this.#signal;
  }

  /** Aborted only when the gateway stops. */
  get stopSignal(): AbortSignal {
    this.#stop ??= new AbortController();
    if (this.signal.aborted && !this.clientLeft) this.#stop.abort(this.signal.reason);
    return this.#stop.signal;
  }

  get clientLeft(): boolean {
    return this.signal.aborted && this.signal.reason === CLIENT_LEFT;
  }

  /** Adds headers to the reply, even if it is an error. The last value of a header counts. */
  addHeaders(headers: ResponseHeaders): void {
    Object.assign(this.#headers, headers);
  }

  /**
   * Begins the reply with these headers and those added before. Throws for a header whose value HTTP cannot carry, and drops that header, so that an
   * error can be sent.
   */
  writeHead(status: number, headers: ResponseHeaders): Response {
    this.addHeaders(headers);
    try {
      return this.res.writeHead(status, this.#headers);
    } catch (thrown) {
      this.#dropUnsendableHeaders();
      throw thrown;
    }
  }

  #dropUnsendableHeaders(): void {
    for (const [name, value] of Object.entries(this.#headers)) {
      try {
        validateHeaderValue(name, value);
      } catch {
        delete this.#headers[name];
      }
    }
  }

  /** Sets the added headers, for replies that do not begin with `writeHead`. Headers that are added later are not set. */
  setAddedHeaders(): void {
    for (const name in this.#headers) this.res.setHeader(name, this.#headers[name] ?? '');
  }

  reach(endpoint: string): void {
    this.#endpoint = endpoint;
  }

  identify(caller: Caller): void {
    this.#caller = caller;
  }

  /** Records the account of a key that is known but not accepted. */
  identifyRefused(accountId: AccountId | null): void {
    this.#refusedAccount = accountId;
  }

  identifyMachine(id: MachineId): void {
    this.#machineId = id;
  }

  identifyPerson(id: PersonId, accountId: AccountId): void {
    this.#person = { id, accountId };
  }

  /** Keeps the claim until the request's work ends, and then ends it. */
  claim(unbilled: UnbilledClaim): void {
    this.#unbilled = unbilled;
  }

  /** Makes error replies state the caller's limits. */
  stateQuota(): void {
    this.#statesQuota = true;
  }

  refuse(error: GatewayError): void {
    this.#error = error;
  }

  note(outcome: GenerationOutcome): void {
    this.#outcome = outcome;
  }

  abort(reason: string): void {
    this.#signal.abort(reason);
    if (reason !== CLIENT_LEFT) this.#stop?.abort(reason);
  }

  /** Ends the work of the request; a second call does nothing. */
  finishWork(): void {
    if (!this.#working) return;
    this.#working = false;
    this.#unbilled?.end();
    if (this.#closed) this.#onDone(this);
  }

  private close(): void {
    if (!this.res.writableFinished) this.abort(CLIENT_LEFT);
    this.#closed = true;
    if (!this.#working) this.#onDone(this);
  }
}
