import { type ErrorCode, type StandingFacts, SYSTEM_ACTOR } from '@tollgate/core';
import { changeStanding, MAINTENANCE } from '@tollgate/testkit';
import { services } from '../../../src/composition/services.js';
import type { AcceptanceWorld } from './acceptance-world.js';
import { PROMPTS } from './backends.js';

/** Names of the class that each official client throws. */
export type ErrorClasses = readonly [openai: string, anthropic: string];

/** What differs from a request that is served. */
export interface ProvokingRequest {
  readonly key?: string;
  readonly model?: string;
  readonly text?: string;
  readonly maxTokens?: number;
  readonly temperature?: number;
}

export interface ProvokedError {
  readonly name: string;
  readonly code: ErrorCode;
  readonly status: number;
  readonly type: string;
  readonly classes: ErrorClasses;
  /** The field that the error names; `prompt` stands for the format's conversation field. */
  readonly param?: string;
  /** Pattern of `retry-after`; without one, the header must be absent. */
  readonly retryAfter?: RegExp;
  readonly provoke: (world: AcceptanceWorld) => ProvokingRequest | Promise<ProvokingRequest>;
  /** Reverts what `provoke` changed for all accounts. */
  readonly undo?: (world: AcceptanceWorld) => Promise<unknown>;
}

const INVALID: ErrorClasses = ['BadRequestError', 'BadRequestError'];
const FORBIDDEN: ErrorClasses = ['PermissionDeniedError', 'PermissionDeniedError'];
const LIMITED: ErrorClasses = ['RateLimitError', 'RateLimitError'];
const UNAVAILABLE: ErrorClasses = ['InternalServerError', 'ServiceUnavailableError'];

async function accountThat(world: AcceptanceWorld, differences: Partial<StandingFacts>): Promise<ProvokingRequest> {
  const caller = await world.addCaller({ planId: 'ample' });
  const { container } = world.gateway;
  await changeStanding(container.get(services.accounts), caller.account.id, differences, { actor: SYSTEM_ACTOR, at: container.get(services.clock).now() });
  return { key: caller.key };
}

async function onPlan(world: AcceptanceWorld, planId: string): Promise<ProvokingRequest> {
  const { key } = await world.addCaller({ planId });
  return { key };
}

export const PROVOKED_ERRORS: readonly ProvokedError[] = [
  {
    name: 'an unknown key', code: 'invalid_api_key', status: 401, type: 'authentication_error', classes: ['AuthenticationError', 'AuthenticationError'],
    provoke: () => ({ key: `sk-${'x'.repeat(48)}` }),
  },
  {
    name: 'an account without balance', code: 'insufficient_balance', status: 402, type: 'invalid_request_error', classes: ['APIError', 'PaymentRequiredError'],
    provoke: async (world) => ({ key: (await world.addCaller({ planId: 'ample', credit: '0' })).key }),
  },
  {
    name: 'a suspended account', code: 'account_inactive', status: 403, type: 'permission_error', classes: FORBIDDEN,
    provoke: (world) => accountThat(world, { status: 'suspended' }),
  },
  {
    name: 'an unverified address', code: 'email_not_verified', status: 403, type: 'permission_error', classes: FORBIDDEN,
    provoke: (world) => accountThat(world, { emailVerified: false }),
  },
  {
    name: 'a model outside of the plan', code: 'model_not_in_plan', status: 403, type: 'permission_error', classes: FORBIDDEN, param: 'model',
    provoke: () => ({ model: 'other-plan' }),
  },
  {
    name: 'an unknown model', code: 'model_not_found', status: 404, type: 'not_found_error', classes: ['NotFoundError', 'NotFoundError'], param: 'model',
    provoke: () => ({ model: 'nobody' }),
  },
  {
    name: 'a value out of range', code: 'invalid_request', status: 400, type: 'invalid_request_error', classes: INVALID, param: 'temperature',
    provoke: () => ({ temperature: 7 }),
  },
  {
    name: 'a prompt that does not fit', code: 'context_length_exceeded', status: 400, type: 'invalid_request_error', classes: INVALID, param: 'prompt',
    provoke: () => ({ model: 'narrow', text: 'Too long. '.repeat(400) }),
  },
  {
    name: 'a body that is too large', code: 'payload_too_large', status: 413, type: 'request_too_large', classes: ['APIError', 'ContentTooLargeError'],
    provoke: () => ({ text: 'x'.repeat(2_097_152) }),
  },
  {
    name: 'too many requests', code: 'rate_limit_exceeded', status: 429, type: 'rate_limit_error', classes: LIMITED, retryAfter: /^(60|[1-5]?\d)$/,
    provoke: async (world) => {
      const caller = await world.addCaller({ planId: 'one-request' });
      await world.post('/v1/messages/count_tokens', { model: 'plain', messages: [{ role: 'user', content: 'Hi' }] }, caller);
      return { key: caller.key };
    },
  },
  {
    name: 'too many tokens', code: 'tokens_per_minute_exceeded', status: 429, type: 'rate_limit_error', classes: LIMITED, retryAfter: /^(60|[1-5]?\d)$/,
    provoke: (world) => onPlan(world, 'few-tokens'),
  },
  {
    name: 'a day used up', code: 'daily_limit_exceeded', status: 429, type: 'rate_limit_error', classes: LIMITED, retryAfter: /^\d+$/,
    provoke: (world) => onPlan(world, 'tiny-day'),
  },
  {
    name: 'an upstream that is down', code: 'provider_unavailable', status: 503, type: 'overloaded_error', classes: UNAVAILABLE, retryAfter: /^2$/,
    provoke: () => ({ text: PROMPTS.failsBefore }),
  },
  {
    name: 'maintenance', code: 'maintenance_mode', status: 503, type: 'overloaded_error', classes: UNAVAILABLE, retryAfter: /^60$/,
    provoke: async ({ auditor, gateway }) => {
      await auditor.controls.setMaintenance(MAINTENANCE, { actor: SYSTEM_ACTOR, at: gateway.container.get(services.clock).now() });
      return {};
    },
    undo: ({ auditor, gateway }) => auditor.controls.setMaintenance(null, { actor: SYSTEM_ACTOR, at: gateway.container.get(services.clock).now() }),
  },
];
