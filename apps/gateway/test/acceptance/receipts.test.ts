import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type JsonObject, NO_USAGE_FILTERS, outputTokensOf, type RequestId, type UsageRecord } from '@tollgate/core';
import { type Behaviour, Gate, modelOf, OneTokenPerCharacter, type RecordedRequest, replies, type ScriptedUpstream } from '@tollgate/testkit';
import type { TestCaller } from '../../src/test-support/start-test-gateway.js';
import { AcceptanceWorld, type LedgerCharge } from './support/acceptance-world.js';
import { BalanceWatch, type WatchedBalances } from './support/balance-watch.js';
import { CHAT, type Figures, figuresOf } from './support/formats.js';
import { LeavingClient, type SeenReply } from './support/leaving-client.js';
import { type PlannedRequest, planRequests } from './support/planned-requests.js';
import { AMPLE_PLAN, catalogueFile, modelEntry, scriptedEntry } from './support/scripted-catalogue.js';

const SEED = Number(process.env['TOLLGATE_TEST_SEED'] ?? 20_261_118);
const REQUESTS = 500;
const AT_ONCE = 25;
const SLOTS = 30;
/** Each model has its own upstream, which fails too rarely to open a circuit. */
const MODELS = 50;
/** The third caller cannot pay for all its requests. */
const CREDITS = ['1000000', '1000000', '25'];
/** Time limit for 500 requests on a busy machine. */
const RUN_MILLISECONDS = 60_000;

const names = Array.from({ length: MODELS }, (_, position) => `m${position}`);

/** Every other model has a fallback. */
function catalogue(upstream: ScriptedUpstream): JsonObject {
  const more = { max_output_tokens: 20_000 };
  const entries = names.map((name, position) => [name, modelEntry(name, { upstream: name, fallbacks: position % 2 === 0 ? ['steady'] : [], more })]);
  return catalogueFile(
    { steady: scriptedEntry(upstream), ...Object.fromEntries(names.map((name) => [name, scriptedEntry(upstream)])) },
    { ...Object.fromEntries(entries), steady: modelEntry('steady', { upstream: 'steady', price: { prompt: 500, output: 700 }, more }) },
    { watched: { ...AMPLE_PLAN, concurrent_requests: SLOTS } },
  );
}

interface Outcome {
  readonly planned: PlannedRequest;
  readonly seen: SeenReply;
  /** `null` if the request left no record, or if the client disconnected before it received the request id. */
  readonly record: UsageRecord | null;
}

let world: AcceptanceWorld;
let callers: readonly TestCaller[] = [];
let outcomes: readonly Outcome[] = [];
let watched: WatchedBalances;
let records: readonly UsageRecord[] = [];

const STEADY = replies({ text: ['Steady', ' as ever.'], usage: { prompt_tokens: 11, completion_tokens: 5, total_tokens: 16 } });

/** The fallback always serves; all other models behave as planned. */
function playedBy(plan: readonly PlannedRequest[]): Behaviour {
  return (request: RecordedRequest) => {
    const number = Number(/Request (\d+)\./.exec(request.rawBody)?.[1]);
    const behaviour = modelOf(request) === 'up-steady' ? STEADY : plan[number]?.behaviour;
    return (behaviour ?? STEADY)(request);
  };
}

/** Opens a gate for each piece that the client has received completely. */
function openGates({ format, pieces, gates }: PlannedRequest, body: string): void {
  const { length } = format.textIn(body);
  let end = 0;
  for (const [position, piece] of pieces.entries()) {
    end += piece.length;
    if (end <= length) gates[position]?.open();
  }
}

async function send(planned: PlannedRequest): Promise<SeenReply> {
  const { format, caller, body, leavesAfterBytes, leavesBy } = planned;
  return LeavingClient.send({
    url: `${world.url}${format.path}`,
    key: callers[caller]?.key ?? '',
    body: JSON.stringify(body),
    leavesAfterBytes,
    leavesBy,
    onBody: (text) => {
      openGates(planned, text);
    },
  });
}

/** Sends all requests, with bounded concurrency. */
async function sendAll(plan: readonly PlannedRequest[]): Promise<readonly SeenReply[]> {
  const seen: SeenReply[] = [];
  const waiting = plan.values();
  const sender = async (): Promise<void> => {
    for (const planned of waiting) seen[planned.number] = await send(planned);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sender));
  return seen;
}

async function recordsOf({ account }: TestCaller): Promise<readonly UsageRecord[]> {
  const query = { ...NO_USAGE_FILTERS, accountId: account.id };
  const page = await world.auditor.usage.list({ ...query, limit: REQUESTS, cursor: null });
  return page?.records ?? [];
}

beforeAll(async () => {
  const plan = planRequests({ seed: SEED, requests: REQUESTS, callers: CREDITS.length, models: MODELS });
  world = await AcceptanceWorld.start({ catalogue, services: { estimator: new OneTokenPerCharacter() }, planId: 'watched', credit: '1' });
  world.upstream.always('*', playedBy(plan));
  callers = await Promise.all(CREDITS.map((credit) => world.addCaller({ planId: 'watched', credit })));
  const watch = await BalanceWatch.start(world.database);
  const seen = await sendAll(plan);
  await world.settled();
  watched = await watch.stop();
  records = (await Promise.all(callers.map(recordsOf))).flat();
  const byId = new Map<string, UsageRecord>(records.map((record) => [record.requestId, record]));
  outcomes = plan.map((planned, position) => {
    const reply = seen[position];
    if (reply === undefined) throw new Error(`request ${position} was not sent`);
    return { planned, seen: reply, record: byId.get(String(reply.headers['x-request-id'])) ?? null };
  });
}, RUN_MILLISECONDS);
afterAll(() => world.close());

/** `null` for a refusal and for a stream that ended in an error. Throws if a stream is invalid. */
function figuresIn({ planned: { format, delivery }, seen: { status, body } }: Outcome): Figures | null {
  if (status !== 200) return null;
  return delivery === 'stream' ? format.readStream(body).figures : format.readWhole(JSON.parse(body) as JsonObject).figures;
}

function completed(status: number): readonly Outcome[] {
  return outcomes.filter(({ seen }) => seen.complete && seen.status === status);
}

function isStream({ planned }: Outcome): boolean {
  return planned.delivery === 'stream';
}

function entriesFor({ charge, writeOff }: UsageRecord): readonly LedgerCharge[] {
  const entries = [{ kind: 'charge', amount: charge.amount }, { kind: 'write-off', amount: writeOff }];
  return entries.filter(({ amount }) => !amount.isZero()).map(({ kind, amount }) => ({ kind, amount: amount.toString() }));
}

/** Each kind of request must occur more often than this; otherwise its checks would pass without a case. */
const LEAST = { served: 180, fallbacks: 10, broken: 10, unserved: 10, unpaid: 5, left: 25 };

const REASONS: ReadonlySet<string> = new Set(['balance_exhausted', 'client_left', 'completed', 'provider_failed', 'provider_unavailable']);

describe(`of 500 mixed requests (seed ${SEED})`, () => {
  it('all end with one of the planned statuses and reasons, and are complete unless the client disconnects', () => {
    const statuses = new Set(outcomes.filter(({ seen }) => seen.complete).map(({ seen }) => seen.status));
    expect(statuses).toEqual(new Set([200, 402, 503]));
    expect(outcomes.filter(({ planned, seen }) => planned.fate !== 'left' && !seen.complete)).toEqual([]);
    expect(records.filter(({ reason }) => !REASONS.has(reason))).toEqual([]);
  });

  it('those with a receipt have its figures in the usage record and the ledger too', () => {
    const served = completed(200).map((outcome) => ({ ...outcome, figures: figuresIn(outcome) })).filter(({ figures }) => figures !== null);
    expect(served.length).toBeGreaterThan(LEAST.served);
    for (const { figures, seen, record } of served) {
      expect(record === null ? null : figuresOf(record)).toEqual(figures);
      expect(world.chargesOf(seen.headers['x-request-id'] as RequestId)[0]).toEqual({ kind: 'charge', amount: figures?.debited });
    }
    for (const { figures, seen } of served.filter((outcome) => !isStream(outcome))) {
      expect(seen.headers['x-svc-tokens-debited']).toBe(figures?.debited);
    }
    expect(served.filter(({ record }) => record?.service?.fallbackUsed === true).length).toBeGreaterThan(LEAST.fallbacks);
  });

  it('each one with a usage record has its charge in the ledger, even if the client did not receive the whole reply', () => {
    expect(records.length).toBeGreaterThan(REQUESTS / 2);
    for (const record of records) expect(world.chargesOf(record.requestId)).toEqual(entriesFor(record));
  });

  it('those whose upstream breaks off are charged for the output that the client received', () => {
    const broken = completed(200).filter(isStream).filter((outcome) => figuresIn(outcome) === null);
    expect(broken.length).toBeGreaterThan(LEAST.broken);
    for (const { planned, seen, record } of broken) {
      const { text, error } = planned.format.readStream(seen.body);
      expect(error).toMatchObject({ code: 'provider_unavailable' });
      const allowed = Number(planned.body['max_tokens'] ?? planned.body['max_output_tokens']);
      expect(record).toMatchObject({ reason: 'provider_failed', usage: { source: 'counted', visibleOutputTokens: Math.min(text.length, allowed) } });
    }
  });

  it('those that no upstream serves are free, and those that the balance cannot pay for leave no record', () => {
    const [unserved, unpaid] = [completed(503), completed(402)];
    expect(unserved.length).toBeGreaterThan(LEAST.unserved);
    expect(unserved.map(({ record }) => [record?.reason, record?.charge.amount.toString()])).toEqual(unserved.map(() => ['provider_unavailable', '0']));
    expect(unpaid.length).toBeGreaterThan(LEAST.unpaid);
    for (const { seen, record } of unpaid) {
      expect([record, world.chargesOf(seen.headers['x-request-id'] as RequestId)]).toEqual([null, []]);
    }
  });

  it('those whose client disconnects are charged for the output that it received, and at most one chunk more', () => {
    const left = outcomes.filter((outcome) => isStream(outcome) && !outcome.seen.complete && outcome.seen.status === 200);
    expect(left.length).toBeGreaterThan(LEAST.left);
    for (const { planned: { format, pieces, model }, seen, record } of left) {
      const relayed = format.textIn(seen.body).length;
      const next = pieces.find((_, position) => pieces.slice(0, position + 1).join('').length > relayed) ?? '';
      const billed = record === null ? -1 : outputTokensOf(record.usage);
      // A client that disconnected after the last token had a complete reply, and pays what the upstream reported.
      const [least, most] = record?.usage.source === 'reported' ? [billed, billed] : [relayed, relayed + next.length];
      expect({ model, billed: billed >= least && billed <= most }).toEqual({ model, billed: true });
      expect(['client_left', 'completed', 'balance_exhausted']).toContain(record?.reason);
    }
  });

  it('none makes an available balance negative, and no amount is ever reserved without a request', () => {
    expect(watched.reads).toBeGreaterThan(100);
    expect(watched.lowest).toBeGreaterThanOrEqual(0n);
    expect(watched.unexplained).toEqual([]);
  });

  it('none leaves a reservation or a difference between ledger and balances', async () => {
    expect(world.heldReservations).toBe(0);
    const balances = await Promise.all(callers.map(({ account }) => world.auditor.ledger.balanceOf(account.id)));
    expect(balances.map((balance) => balance?.reserved.toString())).toEqual(['0', '0', '0']);
    expect(await world.auditor.ledgerAudit.verify()).toMatchObject({ differences: [], usageRecords: records.length });
  });

  it.each([0, 1])('none still occupies a concurrency slot of caller %i', async (number) => {
    const gate = new Gate();
    world.upstream.always('*', replies({ text: ['Held.'] }, { pauses: [{ before: 2, gate }] }));
    const body = CHAT.body('steady', 'Hold.', { stream: true });
    const held = await Promise.all(Array.from({ length: SLOTS }, () => world.post(CHAT.path, body, callers[number])));
    expect(held.map(({ status }) => status)).toEqual(held.map(() => 200));
    const refused = await world.post(CHAT.path, body, callers[number]);
    expect(refused.status).toBe(429);
    gate.open();
    for (const reply of held) expect(CHAT.readStream(await reply.text()).text).toBe('Held.');
  });
});
