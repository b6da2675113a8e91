import { join } from 'node:path';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { type Instant, MILLISECONDS_PER_DAY } from '@tollgate/core';
import { type Environment, type Resident, sendRequest, type World } from './open-world.js';
import type { Subjects } from '../pages/dashboard-pages.js';
import { copyRecord } from './copy-rows.js';

const MODEL = 'sandbox-small';

/** Sends a request, and resolves with its id, the id of its key, and its model. */
export async function subjectsOf(world: World, resident: Resident, model: string = MODEL): Promise<Subjects> {
  await sendRequest(world, resident, { model, tokens: 60, isMessages: false });
  const headers = { authorization: `Bearer ${resident.secret}` };
  const { data } = await (await fetch(`${world.gateway.url}/v1/usage?limit=1`, { headers })).json() as { readonly data: readonly { readonly request_id: string; readonly key_id: string }[] };
  const [record] = data;
  if (record === undefined) throw new Error('the request has no record');
  return { requestId: record.request_id, keyId: record.key_id, model };
}

/** Number of days before today on which there are records. With today, they fit in the default period of seven days. */
const DAYS = 6;

/** Sends one request, and copies its usage record. The gateway restarts for that. */
export async function addRecords(world: World, owner: Resident, records: number): Promise<void> {
  const { requestId } = await subjectsOf(world, owner);
  const to = world.clock.now();
  await world.restart(() => copyRecord(world, { requestId, count: records - 1, from: (to - DAYS * MILLISECONDS_PER_DAY) as Instant, to }));
}

/** A model at which every request has the same charge. */
export interface PricedModel {
  readonly slug: string;
  /** Prices in service tokens per million model tokens. */
  readonly prompt: string;
  readonly output: string;
  /** Token counts that the upstream reports for each request. */
  readonly promptTokens: number;
  readonly outputTokens: number;
}

interface PricedModels {
  /** Settings of a gateway that has these models only. */
  readonly environment: Environment;
  close(): Promise<void>;
}

const CONTEXT = 100_000_000;

function catalogueOf(models: readonly PricedModel[], baseUrl: string): string {
  const entries = models.map(({ slug, prompt, output, outputTokens }) => `
  ${slug}:
    context_window: ${CONTEXT}
    max_output_tokens: ${outputTokens}
    price: { prompt: ${prompt}, output: ${output} }
    targets: [{ upstream: priced, model: ${slug} }]`);
  return `usd_per_service_token: 0.001
minimum_reservation: 0
upstreams:
  priced: { kind: openai, base_url: ${baseUrl} }
models:${entries.join('')}
plans:
  pro: { requests_per_minute: 10_000, tokens_per_minute: 100_000_000_000, max_context_tokens: ${CONTEXT}, active_keys: 100 }
`;
}

async function modelOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return (JSON.parse(Buffer.concat(chunks).toString()) as { readonly model: string }).model;
}

/** Starts an upstream that serves the models, and writes a catalogue with them. */
export async function openPricedModels(models: readonly PricedModel[]): Promise<PricedModels> {
  const server = createServer((request, response) => void modelOf(request).then((name) => {
    const { promptTokens = 0, outputTokens = 0 } = models.find(({ slug }) => slug === name) ?? {};
    const choice = { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Hello.' } };
    const usage = { prompt_tokens: promptTokens, completion_tokens: outputTokens, total_tokens: promptTokens + outputTokens };
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ id: 'chatcmpl-priced', object: 'chat.completion', created: 0, model: name, choices: [choice], usage }));
  })).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-browser-prices-'));
  const file = join(folder, 'catalogue.yaml');
  writeFileSync(file, catalogueOf(models, `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`));
  return {
    environment: { CATALOG_FILE: file },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
