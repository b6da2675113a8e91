import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CommandLine, createAccount, startGateway } from '@tollgate/kit';
import { type Behaviour, breaksAfter, hangsBeforeHeaders, replies, type ScriptedReply, type ScriptedUpstream, startScriptedUpstream, until } from '@tollgate/testkit/programs';
import { expectThat, type World } from './checks.js';
import { type ProgramResult } from './programs.js';

export const SCRIPTED_KINDS = ['openai', 'anthropic', 'responses'] as const;
export type ScriptedKind = (typeof SCRIPTED_KINDS)[number];

/** What the scripted upstream calls its model. */
const UPSTREAM_MODEL = 'scripted';
/** A name that no client knows. */
export const UNKNOWN_NAME = 'house-model';
/** A name under which Codex offers its tool for patches. */
export const KNOWN_NAME = 'gpt-5.5';
/** A name under which Codex offers its tools in groups, within an input item. */
export const CODE_NAME = 'gpt-6.1-sol';

/** Of the plan `capped`: one request of a coding agent fits, a second does not. */
export const DAILY_CAP = 20_000;

/** Within which a client has sent its first request, on a busy machine, too. */
const MAX_START_MILLISECONDS = 60_000;

/** A gateway before an upstream that says what a check tells it to. */
export interface ScriptedWorld extends World {
  readonly upstream: ScriptedUpstream;
  readonly kind: ScriptedKind;
  /** Of an account whose plan has a daily cap. */
  readonly cappedKey: string;
  /** Of an account without a balance. */
  readonly emptyKey: string;
  /** Of an account that may send one request at a time. */
  readonly slotKey: string;
  /** The gateway's log, one JSON object a line. */
  readonly logFile: string;
}

/** A catalogue file; YAML takes JSON. */
function catalogueOf(kind: ScriptedKind, baseUrl: string): string {
  const model = {
    display_name: 'House model', owned_by: 'house', created: '2026-01-01', aliases: [KNOWN_NAME, CODE_NAME], context_window: 128_000, max_output_tokens: 8192,
    reasoning: true, price: { prompt: 100, output: 100 }, targets: [{ upstream: 'scripted', model: UPSTREAM_MODEL }],
  };
  const ample = {
    requests_per_minute: 600, tokens_per_minute: 2_000_000, concurrent_requests: 20, max_context_tokens: 128_000, active_keys: 50,
    tokens_per_day: 'none', tokens_per_month: 'none',
  };
  const capped = { ...ample, name: 'Capped', tokens_per_day: DAILY_CAP };
  const slot = { ...ample, name: 'One slot', concurrent_requests: 1 };
  return JSON.stringify({
    usd_per_service_token: 0.001, upstreams: { scripted: { kind, base_url: baseUrl, json_schema: 'schema' } }, models: { [UNKNOWN_NAME]: model }, plans: { capped, slot },
  });
}

async function accountsOf(commandLine: CommandLine): Promise<Pick<ScriptedWorld, 'key' | 'cappedKey' | 'emptyKey' | 'slotKey'>> {
  return {
    key: await createAccount(commandLine, { name: 'client', plan: 'pro', credit: '1000000' }),
    cappedKey: await createAccount(commandLine, { name: 'capped', plan: 'capped', credit: '1000000' }),
    emptyKey: await createAccount(commandLine, { name: 'empty', plan: 'pro', credit: '0' }),
    slotKey: await createAccount(commandLine, { name: 'slot', plan: 'slot', credit: '1000000' }),
  };
}

/** Starts a scripted upstream and a gateway before it, and stops both once `run` has ended. */
export async function inScriptedWorld<Value>(
  { root, folder, kind }: { readonly root: string; readonly folder: string; readonly kind: ScriptedKind },
  run: (world: Omit<ScriptedWorld, 'folder'>) => Promise<Value>,
): Promise<Value> {
  const upstream = await startScriptedUpstream();
  mkdirSync(folder, { recursive: true });
  const catalogue = join(folder, 'catalog.yaml');
  writeFileSync(catalogue, catalogueOf(kind, upstream.baseUrl));
  const settings = { CATALOG_FILE: catalogue };
  const gateway = await startGateway({ root, folder: join(folder, 'gateway'), environment: settings, descriptorLimit: null });
  try {
    const { environment } = gateway.commandLine;
    const accounts = await accountsOf({ root, environment: { ...environment, ...settings } });
    return await run({ baseUrl: `http://127.0.0.1:${gateway.port}`, ...accounts, upstream, kind, logFile: gateway.logFile });
  } finally {
    await gateway.child.stop();
    await upstream.close();
  }
}

/** Has the upstream answer the coming requests in this order; what a check before left unsaid is forgotten. */
export function script({ upstream }: ScriptedWorld, ...turns: readonly (Behaviour | ScriptedReply)[]): void {
  const coming = turns.map((turn) => (typeof turn === 'function' ? turn : replies(turn)));
  upstream.always(UPSTREAM_MODEL, (request) => (coming.shift() ?? replies({ text: 'The script is over.' }))(request));
}

/** How an upstream of a kind speaks. */
interface Speech {
  readonly framesBeforeText: number;
  /** A demand for JSON by a schema. */
  readonly schema: RegExp;
  /** Whether reasoning comes with a signature, or encrypted, and goes back with it. */
  readonly signs: boolean;
}

const SPEECH: Readonly<Record<ScriptedKind, Speech>> = {
  openai: { framesBeforeText: 1, schema: /"response_format":\{"type":"json_schema",.*/s, signs: false },
  anthropic: { framesBeforeText: 3, schema: /"output_config":\{"format":\{"type":"json_schema",.*/s, signs: true },
  responses: { framesBeforeText: 3, schema: /"text":\{"format":\{"type":"json_schema",.*/s, signs: true },
};

/** Says so many pieces of `Half of a text`, and then that it failed. */
function failsAfter(pieces: number, kind: ScriptedKind): Behaviour {
  return breaksAfter(SPEECH[kind].framesBeforeText + pieces, { error: { message: 'out of memory' } }, { text: ['Half ', 'of ', 'a ', 'text'] });
}

/** Says `Half `, and then that it failed. */
export function breaksOff(kind: ScriptedKind): Behaviour {
  return failsAfter(1, kind);
}

/** Says that it failed before its first piece. */
export function failsAtOnce(kind: ScriptedKind): Behaviour {
  return failsAfter(0, kind);
}

/** What a client did, and what reached the upstream meanwhile. */
export interface ScriptedRun extends ProgramResult {
  /** The bodies that the upstream was sent, as text. */
  readonly sent: readonly string[];
}

export async function watched({ upstream }: ScriptedWorld, running: () => Promise<ProgramResult>): Promise<ScriptedRun> {
  const before = upstream.requests.length;
  const result = await running();
  return { ...result, sent: upstream.requests.slice(before).map(({ rawBody }) => rawBody) };
}

/** How often the gateway has refused a request with this code. */
export function refusalsLogged({ logFile }: ScriptedWorld, code: string): number {
  return readFileSync(logFile, 'utf8').split(`"code":"${code}"`).length - 1;
}

/** Runs a client with an account whose only slot is taken, and frees the slot once the client was refused for it. */
export async function refusedAtFirst<Run>(world: ScriptedWorld, turns: readonly (Behaviour | ScriptedReply)[], running: () => Promise<Run>): Promise<Run> {
  script(world, hangsBeforeHeaders(), ...turns);
  const reached = world.upstream.requests.length + 1;
  const refused = refusalsLogged(world, 'concurrency_limit_exceeded') + 1;
  const leaving = new AbortController();
  const held = fetch(`${world.baseUrl}/v1/responses`, {
    method: 'POST', headers: { 'authorization': `Bearer ${world.slotKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: UNKNOWN_NAME, input: 'Wait.' }), signal: leaving.signal,
  }).catch(() => null);
  await until(() => world.upstream.requests.length === reached);
  const freeing = until(() => refusalsLogged(world, 'concurrency_limit_exceeded') === refused, MAX_START_MILLISECONDS).finally(() => {
    leaving.abort();
  });
  const [run] = await Promise.all([running(), freeing, held]);
  return run;
}

export function toldOf({ exitCode, seconds, sent, output }: ScriptedRun, words = output.slice(-1500)): string {
  return `exit ${exitCode ?? 'none'} after ${seconds.toFixed(1)} s, ${sent.length} requests upstream: ${words}`;
}

/** Expects each text exactly once in a request, as it stands in JSON. */
export function expectOnce(request: string | undefined, texts: readonly string[]): void {
  for (const text of texts) {
    const times = (request ?? '').split(JSON.stringify(text).slice(1, -1)).length - 1;
    expectThat(times === 1, `"${text}" once in what the upstream is sent`, `it ${times} times in ${(request ?? '').slice(-2000)}`);
  }
}

/** Reasoning of a first turn. */
export const SIGNED = { reasoning: ['I must ', 'look.'], reasoningSignature: 'signed-by-upstream' } as const;

/** The signature that must come back with it, where the upstream has one. */
export function signatureIn({ kind }: ScriptedWorld): readonly string[] {
  return SPEECH[kind].signs ? [SIGNED.reasoningSignature] : [];
}

/** Expects each request to demand an answer by a JSON Schema with this property. */
export function expectSchema({ kind }: ScriptedWorld, run: ScriptedRun, property: string): void {
  for (const body of run.sent) {
    const [demand = ''] = SPEECH[kind].schema.exec(body) ?? [];
    expectThat(demand.includes(`"${property}"`), `a demand for JSON with ${property}`, body.slice(-1500));
  }
}
