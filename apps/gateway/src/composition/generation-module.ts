import { serviceModule } from '@tollgate/composition';
import { AesReasoningSeal } from '@tollgate/adapters-node';
import { Authenticator, GenerationEstimates, GenerationService, RunningGenerations, TokenCounting } from '@tollgate/core';
import { chatFormat } from '@tollgate/wire-chat';
import { messagesFormat } from '@tollgate/wire-messages';
import { responsesFormat } from '@tollgate/wire-responses';
import { BodyBudget } from '../http/body-budget.js';
import { ErrorReply } from '../http/reply/error-reply.js';
import { AdmissionGate } from '../http/admission-gate.js';
import { RunningExchanges } from '../http/running-exchanges.js';
import { generationObserver } from '../observability/generation-log.js';
import { GenerationHandler } from '../routes/generation/generation-handler.js';
import { IdempotentRequests } from '../routes/generation/idempotent-requests.js';
import { KeptReplies } from '../routes/generation/kept-replies.js';
import { StoredLoads } from '../routes/generation/stored-loads.js';
import { services } from './services.js';

const {
  keys, catalogue, hasher, clock, platform, estimator, limiter, ledger, provider, ids, processId, settings, log, traffic, secret, responses, idempotency, formats, generations,
} = services;

export const generationModule = serviceModule((make) => {
  make(RunningGenerations, {}, () => new RunningGenerations());
  make(Authenticator, { keys, catalogue, hasher, clock }, (parts) => new Authenticator(parts));
  make(services.generationObserver, { log, clock, exchanges: RunningExchanges, traffic }, (parts) => generationObserver(parts, parts.traffic));
  make(
    GenerationService,
    { catalogue, platform, estimator, limiter, ledger, provider, running: RunningGenerations, observer: services.generationObserver, ids, clock, processId, settings, creditAdvice: services.creditAdvice },
    ({ settings: { reservationLifetimeMilliseconds, earlyHeadersMilliseconds }, creditAdvice, ...parts }) =>
      new GenerationService(parts, { processId: parts.processId, reservationLifetimeMilliseconds, earlyHeadersMilliseconds, creditAdvice }),
  );
  make(TokenCounting, { catalogue, estimator, limiter, clock }, (parts) => new TokenCounting(parts));
  make(GenerationEstimates, { catalogue, estimator, ledger, clock }, (parts) => new GenerationEstimates(parts));

  make(StoredLoads, { budget: BodyBudget }, ({ budget }) => new StoredLoads(budget));
  make(IdempotentRequests, { idempotency, processId, clock, log, settings }, (parts) =>
    new IdempotentRequests(parts, { claimLifetimeMilliseconds: parts.settings.reservationLifetimeMilliseconds }));
  make(formats, { secret, clock }, (parts) => ({
    chat: chatFormat, messages: messagesFormat, responses: responsesFormat({ seal: parts.secret === null ? null : new AesReasoningSeal(parts.secret.keysFor('response')), clock: parts.clock }),
  }));
  make(KeptReplies, { responses, loads: StoredLoads, formats, clock, log, traffic, settings }, (parts) =>
    new KeptReplies({ ...parts, format: parts.formats.responses, onNotStored: () => parts.traffic?.responseNotStored() }, parts.settings.responsesKeptMilliseconds));
  make(
    generations,
    { generations: GenerationService, gate: AdmissionGate, errors: ErrorReply, loads: StoredLoads, idempotent: IdempotentRequests, limiter, catalogue, ids, clock, formats, kept: KeptReplies },
    ({ formats: { chat, messages, responses: stored }, kept, ...parts }) => ({
      chat: new GenerationHandler(parts, chat), messages: new GenerationHandler(parts, messages), responses: new GenerationHandler(parts, stored, kept),
    }),
  );
});
