import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { StartedGateway } from './start-gateway.js';

export interface NewAccount {
  readonly root: string;
  readonly name: string;
  readonly plan: string;
  /** In service tokens. */
  readonly credit: string;
}

/** Makes an account in a gateway's database with the checkout's own command line; resolves with its key in clear. */
export async function createAccount({ databaseUrl }: StartedGateway, { root, name, plan, credit }: NewAccount): Promise<string> {
  const argv = [join(root, 'apps/cli/dist/main.js'), 'accounts', 'create', '--email', `${name}@tools.test`, '--name', name, '--plan', plan, '--credit', credit, '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, argv, { env: { PATH: process.env['PATH'] ?? '', DATABASE_URL: databaseUrl } });
  return (JSON.parse(stdout) as { readonly key: { readonly secret: string } }).key.secret;
}
