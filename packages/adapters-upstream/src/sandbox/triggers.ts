import { type ErrorCode, GatewayError, type Model, type ProviderCall } from '@tollgate/core';
import { UpstreamFailure } from '../upstream/upstream-failure.js';

/** One `[[name]]` or `[[name:value]]` of a message. */
export interface Trigger {
  readonly name: string;
  /** Empty when there was none. */
  readonly value: string;
}

const TRIGGER = /\[\[([a-z]{1,20})(?::([^[\]]{0,100}))?\]\]/g;
/** All names that mean something. */
export const TRIGGER_NAMES: ReadonlySet<string> = new Set([
  'tokens', 'reasoning', 'tool', 'tools', 'json', 'latency', 'pace', 'stop', 'fail', 'refuse', 'usage', 'cached',
]);

/** What a message asks of the sandbox, and its text without that. */
export class Triggers {
  readonly #triggers: readonly Trigger[];
  /** The message without its triggers. */
  readonly text: string;

  constructor(message: string) {
    this.#triggers = [...message.matchAll(TRIGGER)].map(([, name = '', value = '']) => ({ name, value: value.trim() }));
    this.text = message.replaceAll(TRIGGER, '').trim();
  }

  has(name: string): boolean {
    return this.#triggers.some((trigger) => trigger.name === name);
  }

  /** The values of all triggers of that name, in order. */
  values(name: string): readonly string[] {
    return this.#triggers.filter((trigger) => trigger.name === name).map(({ value }) => value);
  }

  value(name: string): string | null {
    return this.values(name)[0] ?? null;
  }

  /** The value as a whole number from 0 to `most`; `null` when it is missing or none. */
  count(name: string, most: number): number | null {
    const value = this.value(name);
    return value === null || !/^\d{1,9}$/.test(value) ? null : Math.min(most, Number(value));
  }

  /** Names that mean nothing, so that a reply can say so. */
  get unknown(): readonly string[] {
    return this.#triggers.map(({ name }) => name).filter((name) => !TRIGGER_NAMES.has(name));
  }
}

/** The codes that `[[refuse:code]]` knows: every one a generation can be refused with. */
export const REFUSAL_CODES = [
  'invalid_request', 'context_length_exceeded', 'missing_api_key', 'invalid_api_key', 'insufficient_balance', 'email_not_verified',
  'account_inactive', 'account_blocked', 'api_key_blocked', 'ip_blocked', 'model_not_in_plan', 'model_not_in_key', 'model_not_found',
  'payload_too_large', 'rate_limit_exceeded', 'tokens_per_minute_exceeded', 'concurrency_limit_exceeded', 'daily_limit_exceeded', 'monthly_limit_exceeded',
  'api_key_limit_exceeded',   'provider_unavailable', 'maintenance_mode', 'server_busy', 'service_unavailable', 'internal_error',
] as const satisfies readonly ErrorCode[];

/** The name, at the sandbox, of a model that never serves: every reply comes from a fallback. */
export const UNAVAILABLE_MODEL = 'sandbox-unavailable';

/** Throws what the message, or the model, asks for in place of a reply. */
export function refuseAsAsked({ model, target, request }: ProviderCall, triggers: Triggers): void {
  const code = REFUSAL_CODES.find((known) => known === triggers.value('refuse'));
  if (code !== undefined) {
    throw new GatewayError(code, `Simulated refusal: ${code}.`);
  }
  if (target.upstreamModel === UNAVAILABLE_MODEL) throw new UpstreamFailure('server-error', 'this sandbox model never serves');
  const failure = triggers.value('fail');
  const fails = failure === 'everywhere' || (failure === 'before' && answersTo(model, request.model));
  if (fails) throw new UpstreamFailure('server-error', 'the sandbox was asked to fail before its output');
}

/** Whether the request named this model. A fallback was not named, and so serves when the named one fails. */
function answersTo({ slug, aliases }: Model, name: string): boolean {
  if (name === slug) return true;
  return aliases.some((alias) => (alias.endsWith('*') ? name.startsWith(alias.slice(0, -1)) : name === alias));
}
