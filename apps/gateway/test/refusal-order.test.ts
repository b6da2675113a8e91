import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type ErrorCode, later, type ModelSlug, type PlanLimits, type ProcessId, ProviderFailure, type RequestId, ServiceTokens, SYSTEM_ACTOR, tokenCount } from '@tollgate/core';
import { statusOf } from '@tollgate/wire-kit';
import { Gate } from '@tollgate/testkit';
import { bodyOfEveryFormat, COUNTING_PATHS, type Format, FORMATS } from './acceptance/support/formats.js';
import { BodyBudget } from '../src/http/body-budget.js';
import { requestFingerprint } from '../src/routes/generation/idempotent-requests.js';
import { eventually } from '../src/test-support/test-client.js';
import { haltedReply, testCatalogue } from '../src/test-support/test-catalogue.js';
import { startTestGateway, type TestGateway } from '../src/test-support/start-test-gateway.js';

/** A request that is about to be sent, and the gateway that will receive it. */
interface Attempt {
  readonly gateway: TestGateway;
  readonly headers: Record<string, string>;
  readonly path: string;
  readonly fields: Record<string, unknown>;
  readonly limits: { -readonly [Name in keyof PlanLimits]?: PlanLimits[Name] };
  /** Body to send instead of the JSON of `fields`; `null` for that JSON. */
  body: string | null;
  minimumReservation: string;
}

interface Line {
  readonly name: string;
  readonly code: ErrorCode;
  /** The field that the refusal names; `prompt` stands for the format's conversation field. */
  readonly param?: string;
  /** Changes the attempt so that this rule refuses it. */
  readonly spoil: (attempt: Attempt) => unknown;
}

/** The rules in the order in which they refuse. If two rules change the same part of an attempt, the earlier rule is applied last. */
const LINES: readonly Line[] = [
  { name: 'maintenance', code: 'maintenance_mode', spoil: ({ gateway }) => Object.assign(gateway.parts.platform, { maintenance: true }) },
  { name: 'network blocked', code: 'ip_blocked', spoil: ({ gateway }) => gateway.parts.platform.blockedAddresses.add('127.0.0.1') },
  { name: 'unbilled limit of the network', code: 'rate_limit_exceeded', spoil: ({ gateway, headers }) => useUpAddress(gateway, headers) },
  { name: 'key missing', code: 'missing_api_key', spoil: ({ headers }) => delete headers['authorization'] },
  { name: 'key malformed', code: 'invalid_api_key', spoil: ({ headers }) => Object.assign(headers, { authorization: 'Bearer sk-short' }) },
  { name: 'key unknown', code: 'invalid_api_key', spoil: ({ headers }) => Object.assign(headers, { authorization: `Bearer sk-${'x'.repeat(48)}` }) },
  {
    name: 'key revoked',
    code: 'invalid_api_key',
    spoil: ({ gateway: { gateway, caller } }) => gateway.keyManagement.revoke(caller.account.id, caller.keyId, SYSTEM_ACTOR),
  },
  {
    name: 'key blocked',
    code: 'api_key_blocked',
    spoil: ({ gateway: { parts, caller } }) =>
      parts.store.keys.setBlocked(caller.account.id, caller.keyId, true, { actor: SYSTEM_ACTOR, at: parts.clock.now() }),
  },
  { name: 'account blocked', code: 'account_blocked', spoil: ({ gateway }) => gateway.change({ blocked: true }) },
  {
    name: 'account about to be deleted',
    code: 'account_inactive',
    spoil: ({ gateway }) => gateway.change({ status: 'pending-deletion', deletion: { dueAt: later(gateway.clock.now(), 60_000), returnsTo: 'active' } }),
  },
  { name: 'account inactive', code: 'account_inactive', spoil: ({ gateway }) => gateway.change({ status: 'suspended' }) },
  { name: 'e-mail not verified', code: 'email_not_verified', spoil: ({ gateway }) => gateway.change({ emailVerified: false }) },
  { name: 'unbilled limit of the account', code: 'rate_limit_exceeded', spoil: ({ gateway }) => useUpAccount(gateway) },
  { name: 'bodies in flight', code: 'rate_limit_exceeded', spoil: ({ gateway }) => holdBodies(gateway) },
  { name: 'body too large', code: 'payload_too_large', spoil: (attempt) => Object.assign(attempt, { body: 'x'.repeat(2_097_153) }) },
  { name: 'body not JSON', code: 'invalid_request', spoil: (attempt) => Object.assign(attempt, { body: '{"model":' }) },
  { name: 'body invalid', code: 'invalid_request', param: 'temperature', spoil: ({ fields }) => Object.assign(fields, { temperature: 'hot' }) },
  {
    name: 'idempotency key in use',
    code: 'idempotency_conflict',
    param: 'Idempotency-Key',
    spoil: ({ gateway: { parts, caller }, headers, path, fields }) => {
      headers['idempotency-key'] = 'taken';
      return parts.store.idempotency.claim({
        accountId: caller.account.id, key: 'taken', requestId: 'req_first' as RequestId, ownerId: 'proc_first' as ProcessId,
        fingerprint: requestFingerprint(path, Buffer.from(JSON.stringify(fields))), at: parts.clock.now(), expiresAt: later(parts.clock.now(), 60_000),
      });
    },
  },
  { name: 'model not found', code: 'model_not_found', param: 'model', spoil: ({ fields }) => Object.assign(fields, { model: 'unknown' }) },
  { name: 'model not in plan', code: 'model_not_in_plan', param: 'model', spoil: ({ fields }) => Object.assign(fields, { model: 'other-plan' }) },
  {
    name: 'model not in key',
    code: 'model_not_in_key',
    param: 'model',
    spoil: ({ gateway: { gateway, caller } }) => gateway.keyManagement.change({
      accountId: caller.account.id, keyId: caller.keyId, change: { models: new Set(['halting' as ModelSlug]) }, actor: SYSTEM_ACTOR,
    }),
  },
  {
    name: 'context too long',
    code: 'context_length_exceeded',
    param: 'prompt',
    spoil: ({ fields }) => Object.assign(fields, bodyOfEveryFormat('a'.repeat(40_000), 50)),
  },
  { name: 'requests per minute', code: 'rate_limit_exceeded', spoil: ({ limits }) => Object.assign(limits, { requestsPerMinute: 1 }) },
  { name: 'tokens per minute', code: 'tokens_per_minute_exceeded', spoil: ({ limits }) => Object.assign(limits, { tokensPerMinute: tokenCount(1) }) },
  { name: 'concurrency', code: 'concurrency_limit_exceeded', spoil: ({ limits }) => Object.assign(limits, { concurrentRequests: 1 }) },
  { name: 'daily cap', code: 'daily_limit_exceeded', spoil: ({ limits }) => Object.assign(limits, { tokensPerDay: tokenCount(1) }) },
  { name: 'monthly cap', code: 'monthly_limit_exceeded', spoil: ({ limits }) => Object.assign(limits, { tokensPerMonth: tokenCount(1) }) },
  {
    name: 'key limit',
    code: 'api_key_limit_exceeded',
    spoil: ({ gateway: { gateway, caller } }) => gateway.keyManagement.change({
      accountId: caller.account.id, keyId: caller.keyId, change: { limit: { amount: ServiceTokens.parse('0.000001'), period: 'day' } }, actor: SYSTEM_ACTOR,
    }),
  },
  { name: 'balance', code: 'insufficient_balance', spoil: (attempt) => Object.assign(attempt, { minimumReservation: '5000' }) },
  {
    name: 'no provider',
    code: 'provider_unavailable',
    spoil: ({ gateway }) => gateway.provider.script('small', { refuses: new ProviderFailure('unavailable', 'secret upstream text'), steps: [] }),
  },
];

/** From this rule on, the caller is known and a refusal states its limits. */
const FIRST_WITH_QUOTA = LINES.findIndex(({ name }) => name === 'unbilled limit of the account');
/** Rules whose refusals end by themselves, unlike a demand for more tokens than the whole limit. */
const WORTH_RETRYING: ReadonlySet<string> = new Set(['maintenance', 'unbilled limit of the network', 'unbilled limit of the account', 'bodies in flight', 'idempotency key in use', 'requests per minute', 'concurrency', 'no provider']);
const RETRY_AFTER: Readonly<Record<string, RegExp>> = {
  'maintenance': /^60$/, 'unbilled limit of the network': /^60$/, 'unbilled limit of the account': /^60$/, 'bodies in flight': /^1$/, 'requests per minute': /^60$/, 'tokens per minute': /^60$/, 'concurrency': /^2$/,
  'daily cap': /^[1-9]\d*$/, 'monthly cap': /^[1-9]\d*$/, 'key limit': /^43200$/, 'no provider': /^2$/,
};
/** Codes and statuses of the requirements of a key, in the order of docs/errors.md. */
const REQUIREMENTS = [
  ['email_not_verified', 403], ['account_inactive', 403], ['account_blocked', 403], ['api_key_blocked', 403], ['ip_blocked', 403], ['insufficient_balance', 402],
  ['model_not_in_plan', 403], ['maintenance_mode', 503],
] as const satisfies readonly (readonly [ErrorCode, number])[];
/** Rules that do not apply to counting tokens. */
const NOT_OF_COUNTING: ReadonlySet<string> = new Set(['context too long', 'idempotency key in use']);

/** Units of unbilled work per minute. */
const UNITS = 5;

let gateway: TestGateway;
let running: Gate;
/** The running stream. It stays referenced, because undici cancels a response that is garbage-collected. */
let stream: Response;

beforeEach(async () => {
  gateway = await startTestGateway({ credit: '1000', settings: { unbilledPerMinuteAccount: UNITS, unbilledPerMinuteAddress: UNITS } });
  // A stream runs throughout the test: it has used a request, tokens and a slot.
  running = new Gate();
  gateway.provider.script('halting', haltedReply(running));
  stream = await gateway.post('/v1/chat/completions', { model: 'halting', stream: true, messages: [{ role: 'user', content: 'Hi' }] });
});

afterEach(async () => {
  running.open();
  await stream.text();
  await gateway.close();
});

/** Takes all room that the account has for bodies. */
async function holdBodies({ caller, gateway: { container } }: TestGateway): Promise<void> {
  const bodies = container.get(BodyBudget);
  await bodies.take({ holder: { accountId: caller.account.id }, bytes: bodies.accountBytes, signal: new AbortController().signal });
}

/** Uses up the account's units of unbilled work. */
async function useUpAccount({ url, caller }: TestGateway): Promise<void> {
  for (let used = 0; used < UNITS; used += 1) await fetch(`${url}/v1/models`, { headers: { 'x-api-key': caller.key } });
}

/** Uses up the units of the address by requests without a valid key, and removes the key from the attempt. */
async function useUpAddress({ url }: TestGateway, headers: Record<string, string>): Promise<void> {
  delete headers['authorization'];
  for (let used = 0; used < UNITS; used += 1) await fetch(`${url}/v1/models`);
}

/** Advances the clock by the second for which a request waits for room. */
async function waitedFor(reply: Promise<Response>): Promise<Response> {
  const tasks = gateway.clock.pendingTasks;
  await eventually(() => gateway.clock.pendingTasks > tasks);
  gateway.clock.advance(1000);
  return reply;
}

async function send(path: string, lines: readonly Line[], method: 'POST' | 'GET' | 'DELETE' = 'POST'): Promise<Response> {
  const attempt: Attempt = {
    gateway,
    path,
    headers: { authorization: `Bearer ${gateway.caller.key}`, 'content-type': 'application/json' },
    fields: { model: 'small', ...bodyOfEveryFormat('Hi', 50) },
    limits: {},
    body: null,
    minimumReservation: '1',
  };
  for (const { spoil } of lines.toReversed()) await spoil(attempt);
  gateway.parts.catalogue.replace({ ...testCatalogue(attempt.limits), minimumReservation: ServiceTokens.parse(attempt.minimumReservation) });
  const reply = fetch(`${gateway.url}${path}`, {
    method, headers: attempt.headers, ...(method === 'POST' ? { body: attempt.body ?? JSON.stringify(attempt.fields) } : {}),
  });
  return lines[0]?.name === 'bodies in flight' ? waitedFor(reply) : reply;
}

interface ErrorBody {
  readonly type?: string;
  readonly error: { readonly code: string; readonly type: string; readonly message: string; readonly request_id: string; readonly param?: string; readonly resets_at?: number };
}

/** Unix time at which a refusal ends, according to its `retry-after`. */
function resetOf(reply: Response): number {
  return Math.floor(gateway.clock.now() / 1000) + Number(reply.headers.get('retry-after'));
}

function expectHeaders(reply: Response, { name }: Line, position: number): void {
  expect(reply.headers.get('x-request-id')).toMatch(/^req_/);
  expect(reply.headers.get('request-id')).toBe(reply.headers.get('x-request-id'));
  const statesWindow = position >= FIRST_WITH_QUOTA || name === 'unbilled limit of the network';
  expect(reply.headers.has('x-ratelimit-limit-requests')).toBe(statesWindow);
  expect(reply.headers.has('x-ratelimit-reset-requests')).toBe(statesWindow);
  expect(reply.headers.get('retry-after') ?? 'none').toMatch(RETRY_AFTER[name] ?? /^none$/);
  expect(reply.headers.get('x-should-retry')).toBe(WORTH_RETRYING.has(name) ? null : 'false');
}

/** The field that a refusal names, in the words of the format; `undefined` if the format does not name fields. */
function fieldOf({ promptField, namesFields }: Format, { param }: Line): string | undefined {
  if (!namesFields) return undefined;
  return param === 'prompt' ? promptField : param;
}

describe.each(FORMATS)('by the order of refusals in the $name format,', (format) => {
  it.each(LINES.map((line, position) => [line.name, line, position] as const))('a request to which the refusal “%s” and all later ones apply gets that refusal', async (_, line, position) => {
    const callsBefore = gateway.provider.calls.length;
    const balanceBefore = await gateway.parts.store.ledger.balanceOf(gateway.caller.account.id);
    const reply = await send(format.path, LINES.slice(position));
    const { type, error } = (await reply.json()) as ErrorBody;
    expect([reply.status, error.code, error.type]).toEqual([statusOf(line.code), line.code, format.errorType(line.code)]);
    expect(type).toBe(format.envelopeType);
    expect(error.param).toBe(fieldOf(format, line));
    expect(error.resets_at).toBe(error.type === 'usage_limit_reached' ? resetOf(reply) : undefined);
    expect(error.request_id).toBe(reply.headers.get('x-request-id'));
    expect(error.message).not.toContain('secret');
    expectHeaders(reply, line, position);
    expect(gateway.provider.calls.length - callsBefore).toBe(line.name === 'no provider' ? 1 : 0);
    expect(await gateway.parts.store.ledger.balanceOf(gateway.caller.account.id)).toEqual(balanceBefore);
  });

  it('a request that no rule refuses is served', async () => {
    const reply = await send(format.path, []);
    expect(reply.status).toBe(200);
  });
});

it.each(REQUIREMENTS)('the rules include a refusal with the code %s, whose status is %d', (code, status) => {
  expect(LINES.map((line) => line.code)).toContain(code);
  expect(statusOf(code)).toBe(status);
});

const LINES_OF_COUNTING = LINES.slice(0, LINES.findIndex(({ name }) => name === 'tokens per minute')).filter(({ name }) => !NOT_OF_COUNTING.has(name));

it.each(COUNTING_PATHS.flatMap((path) => LINES_OF_COUNTING.map((line) => [path, line.name, line] as const)))(
  'counting tokens by %s is refused by %s in the same order',
  async (path, _, line) => {
    const reply = await send(path, LINES.slice(LINES.indexOf(line)));
    const { error } = (await reply.json()) as ErrorBody;
    expect([reply.status, error.code]).toEqual([statusOf(line.code), line.code]);
  },
);

/** Rules that depend neither on a body nor on a model. */
const LINES_OF_READING = LINES.slice(0, LINES.findIndex(({ name }) => name === 'bodies in flight'));

it.each((['GET', 'DELETE'] as const).flatMap((method) => LINES_OF_READING.map((line) => [method, line.name, line] as const)))(
  '%s of a stored response is refused by %s in the same order',
  async (method, _, line) => {
    const reply = await send('/v1/responses/resp_unknown', LINES.slice(LINES.indexOf(line)), method);
    const { error } = (await reply.json()) as ErrorBody;
    expect([reply.status, error.code]).toEqual([statusOf(line.code), line.code]);
  },
);
