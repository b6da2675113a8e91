import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '@tollgate/core';
import { replies, type ScriptedUpstream, startScriptedUpstream } from '@tollgate/testkit';
import { createGateway } from '../src/composition/container.js';
import { startEmbeddedGateway } from '../src/test-support/start-embedded-gateway.js';

const OLD = 'aa'.repeat(32);
const NEW = 'bb'.repeat(32);
const OF_UPSTREAM = 'of-the-upstream';

let folder: string;
let upstream: ScriptedUpstream;
let environment: Readonly<Record<string, string>>;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-sealed-'));
  upstream = await startScriptedUpstream();
  upstream.always('*', replies({ reasoning: 'I must look.', reasoningSignature: OF_UPSTREAM, text: 'Well.' }));
  environment = { DATABASE_URL: `sqlite:${join(folder, 'tollgate.db')}`, UPSTREAM_BASE_URL: upstream.baseUrl, UPSTREAM_KIND: 'responses', LOG_LEVEL: 'silent', PORT: '0' };
});

afterEach(async () => {
  await upstream.close();
  rmSync(folder, { recursive: true });
});

interface Turn {
  /** Items of the reply, which the client returns in the next turn. */
  readonly items: readonly JsonObject[];
  /** Reasoning of earlier turns as the upstream received it. */
  readonly returned: readonly unknown[];
}

async function ask(url: string, key: string, earlier: readonly JsonObject[]): Promise<Turn> {
  const input = [...earlier, { role: 'user', content: 'And now?' }];
  const reply = await fetch(`${url}/v1/responses`, {
    method: 'POST', headers: { 'authorization': `Bearer ${key}`, 'content-type': 'application/json' }, body: JSON.stringify({ model: 'scripted-model', input, store: false }),
  });
  expect(reply.status).toBe(200);
  const { output } = (await reply.json()) as { readonly output: readonly JsonObject[] };
  const sent = (upstream.requests.at(-1)?.body['input'] ?? []) as readonly JsonObject[];
  return { items: [...input, ...output], returned: sent.filter(({ type }) => type === 'reasoning').map((item) => item['encrypted_content']) };
}

/** Starts another gateway with these secrets on the same database, and sends a request. */
async function askAfterRestart(secrets: Readonly<Record<string, string>>, key: string, earlier: readonly JsonObject[]): Promise<Turn> {
  const gateway = await createGateway({ ...environment, ...secrets });
  try {
    return await ask(gateway.url, key, earlier);
  } finally {
    await gateway.close();
  }
}

it('sealed reasoning survives a restart and a rotation of the secret; without the earlier secret, it is dropped', async () => {
  const first = await startEmbeddedGateway({ environment: { ...environment, SECRET: OLD } });
  const { key } = first;
  const begun = await ask(first.url, key, []);
  await first.close();
  const sealed = begun.items.map((item) => item['encrypted_content']).filter((text) => text !== undefined);
  expect([sealed.length, sealed.includes(OF_UPSTREAM), begun.returned]).toEqual([1, false, []]);

  expect((await askAfterRestart({ SECRET: OLD }, key, begun.items)).returned).toEqual([OF_UPSTREAM]);
  const rotated = await askAfterRestart({ SECRET: NEW, SECRET_PREVIOUS: OLD }, key, begun.items);
  expect(rotated.returned).toEqual([OF_UPSTREAM]);
  // There are two turns; the later one was sealed with the new secret.
  expect((await askAfterRestart({ SECRET: NEW, SECRET_PREVIOUS: OLD }, key, rotated.items)).returned).toEqual([OF_UPSTREAM, OF_UPSTREAM]);
  expect((await askAfterRestart({ SECRET: NEW }, key, rotated.items)).returned).toEqual([OF_UPSTREAM]);
});
