import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from './open-world.js';

/** A model whose every request is charged the same. */
export interface PricedModel {
  readonly slug: string;
  /** Service tokens per million tokens. */
  readonly prompt: string;
  readonly output: string;
  /** Tokens that its server reports of each request. */
  readonly promptTokens: number;
  readonly outputTokens: number;
}

/** Models on a server of their own. */
interface PricedModels {
  /** Settings of a gateway that serves these models and no others. */
  readonly environment: Environment;
  close(): Promise<void>;
}

/** More than any request takes. */
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

/** Starts the server of the models, and writes the catalogue that offers them. */
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
