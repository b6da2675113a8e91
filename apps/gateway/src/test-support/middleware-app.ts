import express, { type Application } from 'express';
import { createMemoryStore, ManualClock, MemoryRateLimiter, SequentialIds, StaticCatalogue } from '@tollgate/adapters-memory';
import { Sha256Hasher } from '@tollgate/adapters-node';
import { AccountAdministration, Authenticator, type ErrorCode, KeyManagement } from '@tollgate/core';
import { chatFormat } from '@tollgate/wire-chat';
import { messagesFormat } from '@tollgate/wire-messages';
import { responsesFormat } from '@tollgate/wire-responses';
import { createLog } from '../observability/create-log.js';
import type { HttpExchange } from '../http/http-exchange.js';
import { AdmissionGate } from '../http/admission-gate.js';
import { RunningExchanges } from '../http/running-exchanges.js';
import { NetworkShares } from '../http/server/network-shares.js';
import { DiscardPace } from '../http/discard-pace.js';
import { errorHandler } from '../http/middleware/error-handler.js';
import { requestContext } from '../http/middleware/request-context.js';
import { ErrorReply } from '../http/reply/error-reply.js';
import { RefusalDelay } from '../http/reply/refusal-delay.js';
import type { CallerPorts } from '../http/middleware/endpoint.js';
import { UnbilledLimits } from '../http/unbilled-limits.js';
import { addCaller, type TestCaller } from './start-test-gateway.js';
import { testCatalogue, TestPlatform } from './test-catalogue.js';

interface MiddlewareAppOptions {
  /** By default unlimited. */
  readonly unbilledPerMinute?: number;
  /** By default no delay. */
  readonly refusalDelayMilliseconds?: number;
}

/** An app with memory adapters, request context and error handler. */
export class MiddlewareApp {
  readonly parts = {
    clock: new ManualClock(), store: createMemoryStore(), platform: new TestPlatform(), catalogue: new StaticCatalogue(testCatalogue()),
  };
  readonly exchanges = new RunningExchanges();
  readonly gate = new AdmissionGate();
  /** Exchanges that are done, in the order of their ends. */
  readonly done: HttpExchange[] = [];
  /** Error codes of these exchanges, as request observers find them. */
  readonly refusals: (ErrorCode | null)[] = [];
  readonly delay: RefusalDelay;
  readonly callers: CallerPorts;
  readonly #ids = new SequentialIds();

  constructor({ unbilledPerMinute = 0, refusalDelayMilliseconds = 0 }: MiddlewareAppOptions = {}) {
    const { clock, store, catalogue, platform } = this.parts;
    this.delay = new RefusalDelay(clock, refusalDelayMilliseconds);
    const log = createLog('silent', { write: () => undefined });
    this.callers = {
      platform,
      clock,
      authenticator: new Authenticator({ keys: store.keys, catalogue, hasher: new Sha256Hasher(), clock }),
      unbilled: new UnbilledLimits({ clock, shared: null, log }, {
        unbilledPerMinuteAccount: unbilledPerMinute, unbilledPerMinuteAddress: unbilledPerMinute, trustedProxies: [],
      }),
    };
  }

  addCaller(name: string): Promise<TestCaller> {
    const { clock, store: { accounts, keys, ledger }, catalogue } = this.parts;
    const ids = this.#ids;
    return addCaller({
      accountAdministration: new AccountAdministration({ accounts, ledger, catalogue, ids, clock }),
      keyManagement: new KeyManagement({ keys, ids, hasher: new Sha256Hasher(), clock }),
    }, name, {});
  }

  with(mount: (app: Application) => void): Application {
    const { clock, store } = this.parts;
    const { exchanges, gate, delay, done, refusals } = this;
    const log = createLog('silent', { write: () => undefined });
    const app = express();
    app.disable('etag');
    app.use(requestContext({
      ids: this.#ids, clock, formats: { chat: chatFormat, messages: messagesFormat, responses: responsesFormat({ seal: null, clock }) }, exchanges, gate, shares: new NetworkShares([]), trustedProxies: [], discards: new DiscardPace(clock), delay,
      observers: [{
        requestDone(exchange) {
          done.push(exchange);
          refusals.push(exchange.refusal);
        },
      }],
    }));
    mount(app);
    app.use(errorHandler(new ErrorReply({ limiter: new MemoryRateLimiter({ clock, usage: store.usage }), log, delay, outage: { failed: () => undefined }, requestLimits: { refused: () => undefined } })));
    return app;
  }
}
