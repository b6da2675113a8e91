import { type ErrorCode, GatewayError, type Model, type ProviderCall } from '@tollgate/core';
import { UpstreamFailure } from '../upstream/upstream-failure.js';
import type { Triggers } from './triggers.js';

/** Codes that `[[refuse:code]]` accepts: those of refused generations, except `idempotency_conflict`, `not_found` and `unsupported_media_type`. */
export const REFUSAL_CODES = [
  'invalid_request', 'context_length_exceeded', 'missing_api_key', 'invalid_api_key', 'insufficient_balance', 'email_not_verified',
  'account_inactive', 'account_blocked', 'api_key_blocked', 'ip_blocked', 'model_not_in_plan', 'model_not_in_key', 'model_not_found',
  'payload_too_large', 'rate_limit_exceeded', 'tokens_per_minute_exceeded', 'concurrency_limit_exceeded', 'daily_limit_exceeded', 'monthly_limit_exceeded',
  'api_key_limit_exceeded', 'provider_unavailable', 'maintenance_mode', 'server_busy', 'service_unavailable', 'internal_error',
] as const satisfies readonly ErrorCode[];

/** Refusals that last until a day or month ends; the responses format states that time. */
const LASTING: ReadonlySet<ErrorCode> = new Set(['daily_limit_exceeded', 'monthly_limit_exceeded', 'api_key_limit_exceeded']);
const LASTING_SECONDS = 3_600;

/** A model that never serves, so that its fallbacks do. */
export const UNAVAILABLE_MODEL = 'sandbox-unavailable';

/** Throws the refusal or failure that the message's triggers or the model ask for. */
export function refuseAsAsked({ model, target, request }: ProviderCall, triggers: Triggers): void {
  const code = REFUSAL_CODES.find((known) => known === triggers.value('refuse'));
  if (code !== undefined) throw new GatewayError(code, `Simulated refusal: ${code}.`, LASTING.has(code) ? { retryAfterSeconds: LASTING_SECONDS } : {});
  if (target.upstreamModel === UNAVAILABLE_MODEL) throw new UpstreamFailure('server-error', 'this sandbox model never serves');
  const failure = triggers.value('fail');
  const fails = failure === 'everywhere' || (failure === 'before' && answersTo(model, request.model));
  if (fails) throw new UpstreamFailure('server-error', 'the sandbox was asked to fail before its output');
}

/** True if the request named this model, rather than falling back to it. */
function answersTo({ slug, aliases }: Model, name: string): boolean {
  if (name === slug) return true;
  return aliases.some((alias) => (alias.endsWith('*') ? name.startsWith(alias.slice(0, -1)) : name === alias));
}
