import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type CommandLine, createAccount, createKey, createOperator } from '@tollgate/kit';

/** Keys of the two customers. The attacker is on the pay-as-you-go plan, which has the lowest limits. */
export interface Customers {
  readonly attackerKey: string;
  readonly victimKey: string;
}

interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const MAIL_MILLISECONDS = 10_000;
const LOOK_MILLISECONDS = 50;
/** The password of every person. */
export const PASSWORD = 'siege horse battery staple';
const VERIFY_LINK = /\/dashboard\/verify#token=([\w-]+)/;

interface TargetParts {
  readonly ports: readonly number[];
  readonly customers: Customers;
  readonly commandLine: CommandLine;
  /** Folder that receives the mail of the gateways. */
  readonly mailFolder: string;
}

export class Target {
  /** Ports of the gateways. */
  readonly ports: readonly number[];
  readonly customers: Customers;
  private readonly commandLine: CommandLine;
  private readonly mailFolder: string;

  constructor({ ports, customers, commandLine, mailFolder }: TargetParts) {
    this.ports = ports;
    this.customers = customers;
    this.commandLine = commandLine;
    this.mailFolder = mailFolder;
  }

  get port(): number {
    return this.ports[0] ?? 0;
  }

  /** Creates accounts with this credit in service tokens; returns one key of each. */
  async keysOfAccounts(count: number, { plan = 'pay-as-you-go', credit }: { readonly plan?: string; readonly credit: string }): Promise<readonly string[]> {
    const keys: string[] = [];
    for (let index = 0; index < count; index += 1) keys.push(await createAccount(this.commandLine, { name: `attacker-${index}`, plan, credit }));
    return keys;
  }

  async keysOfAttacker(count: number): Promise<readonly string[]> {
    const keys: string[] = [];
    for (let index = 0; index < count; index += 1) keys.push(await createKey(this.commandLine, { account: 'attacker@tools.test', name: `key-${index}` }));
    return keys;
  }

  async appointOperator(email: string): Promise<void> {
    await createOperator(this.commandLine, email);
  }

  /** Sends a POST. Throws unless the status is 2xx. */
  async post(path: string, headers: Readonly<Record<string, string>>, body: object): Promise<Reply> {
    const reply = await this.tryPost(path, headers, body);
    if (reply.status >= 300) throw new Error(`${path} returned ${reply.status}: ${reply.text}`);
    return reply;
  }

  async tryPost(path: string, headers: Readonly<Record<string, string>>, body: object): Promise<Reply> {
    const reply = await fetch(`http://localhost:${this.port}${path}`, {
      method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body),
    });
    return { status: reply.status, headers: reply.headers, text: await reply.text() };
  }

  /** Headers of a request that a page sends through a trusted proxy. */
  pageHeaders(address: string): Readonly<Record<string, string>> {
    return { 'content-type': 'application/json', 'host': `localhost:${this.port}`, 'origin': `http://localhost:${this.port}`, 'x-forwarded-for': address };
  }

  /** Signs up a person, verifies the address, and signs in; resolves with the cookies of the browser. */
  async personWithCookies(email: string, address: string): Promise<string> {
    const mails = (): readonly string[] => filesIn(this.mailFolder).map((file) => readFileSync(file, 'utf8'));
    await this.verifiedPerson(email, { address, mails });
    const signIn = await this.post('/dashboard/api/auth/sign-in', this.pageHeaders(address), { email, password: PASSWORD });
    return signIn.headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0] ?? '').join('; ');
  }

  /** Signs up a person and verifies the address. `mails` returns all messages that were sent so far. */
  async verifiedPerson(email: string, { address, mails }: { readonly address: string; readonly mails: () => readonly string[] }): Promise<void> {
    const headers = this.pageHeaders(address);
    await this.post('/dashboard/api/auth/sign-up', headers, { email, name: 'Ann Example', password: PASSWORD });
    await this.post('/dashboard/api/auth/verify-email', headers, { token: await mailedToken(email, mails), password: PASSWORD });
  }
}

async function mailedToken(email: string, mails: () => readonly string[]): Promise<string> {
  for (let waited = 0; waited < MAIL_MILLISECONDS; waited += LOOK_MILLISECONDS) {
    const texts = mails().map((raw) => raw.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '='));
    const token = texts.filter((text) => text.includes(email)).map((text) => VERIFY_LINK.exec(text)?.[1]).find((found) => found !== undefined);
    if (token !== undefined) return token;
    await wait(LOOK_MILLISECONDS);
  }
  throw new Error(`no verification mail for ${email} arrived in time`);
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.eml')).map((name) => join(folder, name));
  } catch {
    return [];
  }
}
