import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SYSTEM_ACTOR } from '@tollgate/core';
import { Machines } from '@tollgate/identity';
import { ROOT } from '@tollgate/kit';
import { services } from '../../apps/gateway/src/composition/services.js';
import { type EmbeddedGateway, startEmbeddedGateway } from '../../apps/gateway/src/test-support/start-embedded-gateway.js';

const run = promisify(execFile);
const CONTRACT = createRequire(join(ROOT, 'packages/api-contract/package.json'));
const GENERATOR = join(dirname(CONTRACT.resolve('openapi-typescript')), '../bin/cli.js');
const SHOP_WORK = join(import.meta.dirname, 'shop-work.mts');
const COMPILER_OPTIONS = {
  strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, noEmit: true, target: 'es2024', module: 'nodenext', allowImportingTsExtensions: true, erasableSyntaxOnly: true,
  types: ['node'], skipLibCheck: true,
};

/** Changes to the program of the shop that the compiler must refuse. */
const MISTAKES = [
  ["svc_tokens: '50.000001'", 'svc_tokens: 50'], ["'balance.booked'", "'balance.exploded'"], ["'/accounts/{id}/ledger'", "'/accounts/{id}/lodger'"], ['.total.svc_tokens', '.total.tokens'],
] as const;

let folder: string;
let gateway: EmbeddedGateway;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-client-'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  gateway = await startEmbeddedGateway({ environment: { SECRET: 'ab'.repeat(32) } });
  for (const surface of ['v1', 'admin']) {
    const document = join(folder, `${surface}.json`);
    writeFileSync(document, await (await fetch(`${gateway.url}/openapi.json?surface=${surface}`)).text());
    await run(process.execPath, [GENERATOR, document, '-o', join(folder, `${surface}.ts`)]);
  }
  copyFileSync(SHOP_WORK, join(folder, 'shop-work.mts'));
});
afterAll(async () => {
  await gateway.close();
  rmSync(folder, { recursive: true });
});

/** What the compiler prints about the files; empty if it accepts them. */
async function problemsOf(...files: readonly string[]): Promise<string> {
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: COMPILER_OPTIONS, files }));
  return run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', folder], { cwd: folder }).then(() => '', ({ stdout }: { readonly stdout: string }) => stdout);
}

describe('a client generated from the OpenAPI document', () => {
  it('compiles under strict; programs that misuse it do not', async () => {
    expect(await problemsOf('v1.ts', 'admin.ts', 'shop-work.mts')).toBe('');
    const program = readFileSync(SHOP_WORK, 'utf8');
    const files = MISTAKES.map(([right, wrong], place) => {
      writeFileSync(join(folder, `wrong-${place}.mts`), program.replace(right, wrong));
      return `wrong-${place}.mts`;
    });
    const problems = await problemsOf(...files);
    expect(files.filter((file) => !problems.includes(`${file}(`))).toEqual([]);
  });

  it('does the work of a shop', async () => {
    await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST', headers: { 'authorization': `Bearer ${gateway.key}`, 'content-type': 'application/json' }, body: JSON.stringify({ model: 'sandbox-small', messages: [{ role: 'user', content: 'Hello!' }] }),
    }).then((reply) => reply.text());
    const { container } = gateway.gateway;
    const scopes = ['accounts:read', 'accounts:write', 'money:write', 'events:read', 'usage:read', 'webhooks:write'] as const;
    const machine = await container.get(Machines).create({ name: 'Shop', scopes, networks: [], expiresAt: null }, { actor: SYSTEM_ACTOR, at: container.get(services.clock).now() });
    if (machine.outcome !== 'created') throw new Error(machine.outcome);
    const { stdout } = await run(process.execPath, ['shop-work.mts'], { cwd: folder, env: { TOLLGATE_URL: gateway.url, TOLLGATE_MACHINE: machine.issued.secret.reveal() } });
    expect(JSON.parse(stdout)).toEqual({
      account: { external_id: 'customer-4711', status: 'active' }, booked: [false, '50.000001'], repeated: true, balance: '50.000001', ledger: [['top-up', 'order-1001']],
      events: [{ type: 'account.created', sequence: 1 }, { type: 'balance.booked', sequence: 2 }],
      settlements: [{ account: gateway.account.id, charge: expect.stringMatching(/^\d+(?:\.\d+)?$/) }],
      webhooks: [[true], true, 204], refused: 'not_found',
    });
  });
});
