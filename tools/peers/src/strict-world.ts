import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAccount, startGateway, textOf } from '@tollgate/kit';
import {
  answersStatus, type RecordedRequest, type ScriptedReply, type ScriptedUpstream, startScriptedUpstream, StrictVendor, type VendorFormat,
} from '@tollgate/testkit/programs';
import type { World } from './checks.js';

/** Vendors in the order of their fallbacks: each falls back to the next, the last one to the first. */
export const STRICT_VENDORS = ['messages', 'chat', 'signed-chat', 'responses'] as const satisfies readonly VendorFormat[];
export type StrictFormat = (typeof STRICT_VENDORS)[number];

/** Kind of each upstream, and the name of its model, which selects the rules of the vendor. */
const UPSTREAMS: Readonly<Record<StrictFormat, { readonly kind: string; readonly model: string }>> = {
  'messages': { kind: 'anthropic', model: 'strict-messages' },
  'chat': { kind: 'openai', model: 'strict-chat' },
  'signed-chat': { kind: 'openai', model: 'gemini-3.1-pro' },
  'responses': { kind: 'responses', model: 'strict-responses' },
};

const UNAVAILABLE = 503;

/** Finds sealed items of any vendor. */
export const SEALED = /eyJ[\w-]+\.[\w-]{43}/g;

/** Returns the script of one reply, depending on the offered tools. */
export type Say = (offered: readonly string[]) => ScriptedReply;

export interface StrictRequest {
  readonly format: StrictFormat;
  readonly rawBody: string;
}

/** A gateway in front of four vendors that enforce their published rules and follow one script. */
export interface StrictWorld extends World {
  readonly vendors: StrictVendors;
}

export function modelNameOf(format: StrictFormat): string {
  return `house-${format}`;
}

export function nextOf(format: StrictFormat): StrictFormat {
  return STRICT_VENDORS[(STRICT_VENDORS.indexOf(format) + 1) % STRICT_VENDORS.length] ?? format;
}

/** Names of the tools that a request offers, in any format. */
function offeredIn({ body }: RecordedRequest): readonly string[] {
  const tools = Array.isArray(body['tools']) ? body['tools'] as readonly { readonly name?: string; readonly function?: { readonly name: string } }[] : [];
  return tools.map((tool) => tool.name ?? tool.function?.name ?? '');
}

const COUNTED_TOKENS = 16;

/**
 * True for requests by which Claude Code 1 counts the tokens of tools. They ask for a single token, which the gateway raises to 16 in the responses
 * format.
 */
function isCount({ body }: RecordedRequest): boolean {
  return Number(body['max_tokens'] ?? body['max_output_tokens']) <= COUNTED_TOKENS;
}

/** The servers of the vendors, all of which follow one script. Requests without tools, such as those for titles, are answered but not recorded. */
class StrictVendors {
  /** Requests with tools, in the order of their arrival. */
  readonly requests: StrictRequest[] = [];
  #coming: Say[] = [];
  readonly #complaints: string[] = [];
  #failing: StrictFormat | null = null;
  readonly #vendors = new Map(STRICT_VENDORS.map((format) => [format, new StrictVendor(format)]));

  constructor(private readonly upstreams: ReadonlyMap<StrictFormat, ScriptedUpstream>) {
    for (const format of STRICT_VENDORS) {
      upstreams.get(format)?.always('*', (request) => this.#vendorOf(format).answers((accepted) => this.#answer(format, accepted))(request));
    }
  }

  script(...says: readonly Say[]): void {
    this.#coming = [...says];
  }

  /** Makes the vendor's next request with tools fail. */
  failOnce(format: StrictFormat): void {
    this.#failing = format;
  }

  get left(): number {
    return this.#coming.length;
  }

  /** Refusals of the vendors since the last call, and departures from the script. */
  takeComplaints(): readonly string[] {
    const refusals = STRICT_VENDORS.flatMap((format) => this.#vendorOf(format).refusals.splice(0).map(({ message, request }) => `${format}: ${message} ${JSON.stringify(request).slice(-3000)}`));
    return [...refusals, ...this.#complaints.splice(0)];
  }

  baseUrlOf(format: StrictFormat): string {
    return this.upstreams.get(format)?.baseUrl ?? '';
  }

  #vendorOf(format: StrictFormat): StrictVendor {
    const vendor = this.#vendors.get(format);
    if (vendor === undefined) throw new Error(`there is no vendor ${format}`);
    return vendor;
  }

  #answer(format: StrictFormat, request: RecordedRequest): ScriptedReply | ReturnType<typeof answersStatus> {
    const offered = offeredIn(request);
    if (offered.length === 0 || isCount(request)) return { text: 'A title.' };
    this.requests.push({ format, rawBody: request.rawBody });
    if (this.#failing === format) {
      this.#failing = null;
      return answersStatus(UNAVAILABLE);
    }
    try {
      return this.#coming.shift()?.(offered) ?? { text: 'The script is over.' };
    } catch (thrown) {
      this.#complaints.push(textOf(thrown));
      return { text: 'The script is broken.' };
    }
  }
}

/** The catalogue, as JSON, which is valid YAML. */
function catalogueOf(vendors: StrictVendors): string {
  const upstreams = Object.fromEntries(STRICT_VENDORS.map((format) => [format, { kind: UPSTREAMS[format].kind, base_url: vendors.baseUrlOf(format) }]));
  const models = Object.fromEntries(STRICT_VENDORS.map((format) => [modelNameOf(format), {
    display_name: 'House model', owned_by: 'house', created: '2026-01-01', context_window: 200_000, max_output_tokens: 32_000, reasoning: true,
    price: { prompt: 1, output: 1 }, targets: [{ upstream: format, model: UPSTREAMS[format].model }], fallbacks: [modelNameOf(nextOf(format))],
  }]));
  return JSON.stringify({ usd_per_service_token: 0.001, upstreams, models });
}

/** Starts a gateway and the vendors, calls `run`, and stops them afterwards. */
export async function inStrictWorld<Value>({ root, folder }: { readonly root: string; readonly folder: string }, run: (world: Omit<StrictWorld, 'folder'>) => Promise<Value>): Promise<Value> {
  const upstreams = new Map<StrictFormat, ScriptedUpstream>();
  for (const format of STRICT_VENDORS) upstreams.set(format, await startScriptedUpstream());
  const vendors = new StrictVendors(upstreams);
  mkdirSync(folder, { recursive: true });
  const settings = { CATALOG_FILE: join(folder, 'catalog.yaml') };
  writeFileSync(settings.CATALOG_FILE, catalogueOf(vendors));
  const gateway = await startGateway({ root, folder: join(folder, 'gateway'), environment: settings, descriptorLimit: null });
  try {
    const key = await createAccount({ root, environment: { ...gateway.commandLine.environment, ...settings } }, { name: 'client', plan: 'pro', credit: '100000000' });
    return await run({ baseUrl: `http://127.0.0.1:${gateway.port}`, key, vendors });
  } finally {
    await gateway.child.stop();
    for (const upstream of upstreams.values()) await upstream.close();
  }
}
