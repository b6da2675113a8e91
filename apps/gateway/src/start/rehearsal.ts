// `docs/performance.md` states what the first requests after a start cost with and without a rehearsal.
import { Agent, request } from 'node:http';
import type { Container } from 'inversify';
import { invariant, MILLISECONDS_PER_SECOND, type PlanId, ServiceTokens, SYSTEM_ACTOR } from '@tollgate/core';
import type { Environment } from '@tollgate/adapters-config';
import { createGateway } from '../composition/container.js';
import type { Gateway } from '../gateway/gateway.js';
import { services } from '../composition/services.js';

/** The longest that a rehearsal takes. */
export const REHEARSAL_MILLISECONDS = 3 * MILLISECONDS_PER_SECOND;
/** Part of `REHEARSAL_MILLISECONDS` that is left for closing. */
const CLOSING_MILLISECONDS = 250;

/** Independent of the process's environment: database, models and log end with the rehearsal. */
const ENVIRONMENT: Environment = {
  HOST: '127.0.0.1', PORT: '0', DATABASE_URL: 'sqlite::memory:', LOG_LEVEL: 'silent', LEDGER_VERIFY_SECONDS: '0', SHUTDOWN_GRACE_SECONDS: '0',
  UNBILLED_PER_MINUTE_ACCOUNT: '0', UNBILLED_PER_MINUTE_ADDRESS: '0',
};

const MODEL = 'sandbox-small';
/** The plan with the most requests per minute. */
const PLAN = 'business' as PlanId;
const CREDIT = ServiceTokens.parse('1000000');
/** Enough accounts to send more requests than the warm-up does. */
const ACCOUNTS = 4;
/** Concurrent requests. */
const CLIENTS = 4;

const TEXT = 'Say hello.';
const MAX_TOKENS = 64;
const MESSAGES = [{ role: 'user', content: TEXT }];
const WEATHER = { name: 'weather', parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } };

/** Each format whole and streamed, and tools. */
const REQUESTS = [false, true].flatMap((stream) => [
  { path: '/v1/chat/completions', body: { messages: MESSAGES, max_tokens: MAX_TOKENS } },
  { path: '/v1/messages', body: { messages: MESSAGES, max_tokens: MAX_TOKENS } },
  { path: '/v1/responses', body: { input: TEXT, max_output_tokens: MAX_TOKENS } },
  { path: '/v1/chat/completions', body: { messages: MESSAGES, tools: [{ type: 'function', function: WEATHER }] } },
].map(({ path, body }) => ({ path, text: JSON.stringify({ model: MODEL, stream, ...body }) })));

interface Stage {
  readonly url: string;
  readonly keys: readonly string[];
  /** API key for the gateway whose upstream is this one. */
  readonly upstreamKey: string;
}

/** Number of replies by status. */
export type RehearsedReplies = Readonly<Record<number, number>>;

/**
 * Warms up the runtime: sends requests to in-memory gateways of this process, one with simulated models and one whose upstream is the
 * first. Ends after `milliseconds`, after `requests`, or on `stop`; leaves nothing open.
 */
export async function rehearse({ milliseconds = REHEARSAL_MILLISECONDS, requests = Infinity, stop }: Partial<RehearsalTerms> = {}): Promise<RehearsedReplies> {
  const opened = new AsyncDisposableStack();
  const timeOut = AbortSignal.timeout(Math.max(0, milliseconds - CLOSING_MILLISECONDS));
  try {
    return await rehearseUntil(opened, { end: stop === undefined ? timeOut : AbortSignal.any([timeOut, stop]), requests });
  } finally {
    await opened.disposeAsync();
  }
}

interface RehearsalTerms {
  readonly milliseconds: number;
  readonly requests: number;
  readonly stop: AbortSignal;
}

interface RehearsalBounds {
  readonly end: AbortSignal;
  readonly requests: number;
}

async function rehearseUntil(opened: AsyncDisposableStack, { end, requests }: RehearsalBounds): Promise<RehearsedReplies> {
  if (end.aborted) return {};
  const simulated = await openStage(opened, {});
  if (end.aborted) return {};
  const forwarding = await openStage(opened, { UPSTREAM_BASE_URL: `${simulated.url}/v1`, UPSTREAM_API_KEY: simulated.upstreamKey });
  const agent = opened.adopt(new Agent({ keepAlive: true, maxSockets: CLIENTS }), (used) => used.destroy());
  const stages = [simulated, forwarding];
  const replies: Record<number, number> = {};
  let sent = 0;
  const client = async (): Promise<void> => {
    while (!end.aborted && sent < requests) {
      const index = sent++;
      const status = await statusOf(itemAt(stages, index), Math.floor(index / stages.length), { agent, signal: end });
      if (status !== null) replies[status] = (replies[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return replies;
}

async function openStage(opened: AsyncDisposableStack, environment: Environment): Promise<Stage> {
  // A log writer would stay registered until the process ends.
  const withoutLog = (container: Container): void => void container.rebind(services.logWriter).toConstantValue(null);
  const gateway = opened.adopt(await createGateway({ ...ENVIRONMENT, ...environment }, withoutLog), (used) => used.close());
  const keys = await Promise.all(Array.from({ length: ACCOUNTS }, (_, index) => keyOfAccount(gateway, `rehearsal-${index}@localhost`)));
  return { url: gateway.url, keys, upstreamKey: await keyOfAccount(gateway, 'upstream@localhost') };
}

async function keyOfAccount({ accountAdministration, keyManagement, container }: Gateway, email: string): Promise<string> {
  const plan = container.get(services.catalogue).current().plan(PLAN);
  invariant(plan !== null, 'the plan is a standard one');
  const created = await accountAdministration.create({ email, name: 'Rehearsal', planId: PLAN, emailVerified: true, actor: SYSTEM_ACTOR });
  invariant(created.outcome === 'created', 'the database is new');
  const accountId = created.account.id;
  await accountAdministration.credit({ accountId, amount: CREDIT, reference: 'rehearsal', actor: SYSTEM_ACTOR });
  const made = await keyManagement.create({ accountId, plan, name: 'rehearsal', expiresAt: null, actor: SYSTEM_ACTOR });
  invariant(made.outcome === 'created', 'a new account has room for its first key');
  return made.issued.secret.reveal();
}

function itemAt<Item>(items: readonly Item[], index: number): Item {
  const item = items[index % items.length];
  invariant(item !== undefined, 'there is at least one');
  return item;
}

/** `null` if it was aborted. */
function statusOf({ url, keys }: Stage, index: number, { agent, signal }: { readonly agent: Agent; readonly signal: AbortSignal }): Promise<number | null> {
  const { path, text } = itemAt(REQUESTS, index);
  const headers = { authorization: `Bearer ${itemAt(keys, index)}`, 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
  return new Promise((resolve) => {
    const cutOff = (): void => resolve(null);
    request(`${url}${path}`, { agent, signal, method: 'POST', headers }, (reply) => {
      reply.resume().once('end', () => resolve(reply.statusCode ?? null)).on('error', cutOff);
    }).on('error', cutOff).end(text);
  });
}
