import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CommandLine, createAccount, startGateway } from '@tollgate/kit';
import { type Behaviour, breaksAfter, hangsBeforeHeaders, replies, type ScriptedReply, type ScriptedUpstream, startScriptedUpstream, until } from '@tollgate/testkit/programs';
import { expectThat, type World } from './checks.js';
import { type ProgramResult } from './programs.js';

export const SCRIPTED_KINDS = ['openai', 'anthropic', 'responses'] as const;
export type ScriptedKind = (typeof SCRIPTED_KINDS)[number];

const UPSTREAM_MODEL = 'scripted';
/** A model name that no client knows. */
export const UNKNOWN_NAME = 'house-model';
/** A model name for which Codex offers its patch tool. */
export const KNOWN_NAME = 'gpt-5.5';
/** A model name for which Codex offers tools in groups, within an input item. */
export const CODE_NAME = 'gpt-6.1-sol';

/** Daily cap of the plan `capped`; one request of a coding agent fits in it. */
export const DAILY_CAP = 20_000;

/** Time for a client's first request. It is long, for a busy machine. */
const MAX_START_MILLISECONDS = 60_000;

/** A world whose upstream replies as a check prescribes. */
export interface ScriptedWorld extends World {
  readonly upstream: ScriptedUpstream;
  readonly kind: ScriptedKind;
  /** Key of an account on a plan with a daily cap. */
  readonly cappedKey: string;
  /** Key of an account with a balance of zero. */
  readonly emptyKey: string;
  /** Key of an account with one slot. */
  readonly slotKey: string;
  /** Path of the gateway's log, in JSON lines. */
  readonly logFile: string;
}

/** The catalogue, as JSON, which is valid YAML. */
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

/** Starts an upstream and a gateway, calls `run`, and stops them afterwards. */
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

/** Sets the next replies of the upstream, in place of those that are left. */
export function script({ upstream }: ScriptedWorld, ...turns: readonly (Behaviour | ScriptedReply)[]): void {
  const coming = turns.map((turn) => (typeof turn === 'function' ? turn : replies(turn)));
  upstream.always(UPSTREAM_MODEL, (request) => (coming.shift() ?? replies({ text: 'The script is over.' }))(request));
}

/** Properties of one kind of upstream: of its streams, and of the requests that it gets. */
interface Speech {
  readonly framesBeforeText: number;
  /** Finds the requested JSON Schema. */
  readonly schema: RegExp;
  /** True if reasoning has a signature or is encrypted, and is returned to the upstream. */
  readonly signs: boolean;
}

const SPEECH: Readonly<Record<ScriptedKind, Speech>> = {
  openai: { framesBeforeText: 1, schema: /"response_format":\{"type":"json_schema",.*/s, signs: false },
  anthropic: { framesBeforeText: 3, schema: /"output_config":\{"format":\{"type":"json_schema",.*/s, signs: true },
  responses: { framesBeforeText: 3, schema: /"text":\{"format":\{"type":"json_schema",.*/s, signs: true },
};

/** Sends this many pieces of `Half of a text`, and fails. */
function failsAfter(pieces: number, kind: ScriptedKind): Behaviour {
  return breaksAfter(SPEECH[kind].framesBeforeText + pieces, { error: { message: 'out of memory' } }, { text: ['Half ', 'of ', 'a ', 'text'] });
}

/** Sends `Half `, and fails. */
export function breaksOff(kind: ScriptedKind): Behaviour {
  return failsAfter(1, kind);
}

/** Fails before it sends a piece. */
export function failsAtOnce(kind: ScriptedKind): Behaviour {
  return failsAfter(0, kind);
}

export interface ScriptedRun extends ProgramResult {
  /** Bodies of the requests that reached the upstream. */
  readonly sent: readonly string[];
}

export async function watched({ upstream }: ScriptedWorld, running: () => Promise<ProgramResult>): Promise<ScriptedRun> {
  const before = upstream.requests.length;
  const result = await running();
  return { ...result, sent: upstream.requests.slice(before).map(({ rawBody }) => rawBody) };
}

/** Number of refusals with this code in the log. */
export function refusalsLogged({ logFile }: ScriptedWorld, code: string): number {
  return readFileSync(logFile, 'utf8').split(`"code":"${code}"`).length - 1;
}

/** Takes the account's only slot, and frees it when the client has been refused. */
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

/** Expects that the request contains each text exactly once, as JSON. */
export function expectOnce(request: string | undefined, texts: readonly string[]): void {
  for (const text of texts) {
    const times = (request ?? '').split(JSON.stringify(text).slice(1, -1)).length - 1;
    expectThat(times === 1, `"${text}" once in what the upstream is sent`, `it ${times} times in ${(request ?? '').slice(-2000)}`);
  }
}

export const SIGNED = { reasoning: ['I must ', 'look.'], reasoningSignature: 'signed-by-upstream' } as const;

/** The signature that later requests must contain; empty if upstreams of this kind do not sign. */
export function signatureIn({ kind }: ScriptedWorld): readonly string[] {
  return SPEECH[kind].signs ? [SIGNED.reasoningSignature] : [];
}

/** Expects that each request demands a JSON Schema with this property. */
export function expectSchema({ kind }: ScriptedWorld, run: ScriptedRun, property: string): void {
  for (const body of run.sent) {
    const [demand = ''] = SPEECH[kind].schema.exec(body) ?? [];
    expectThat(demand.includes(`"${property}"`), `a demand for JSON with ${property}`, body.slice(-1500));
  }
}
