import { type IncomingHttpHeaders, request } from 'node:http';
import { contract, type ParamsOf, type RequestBodyOf, type RequestQueryOf, type RouteDefinition } from '@tollgate/api-contract';
import { type AccountId, invariant, type JsonObject, SYSTEM_ACTOR } from '@tollgate/core';
import { type Person, type PersonRole, readPassword } from '@tollgate/identity';
import { openMailTransport } from '@tollgate/adapters-mail';
import { until } from '@tollgate/testkit';
import { MailServer, type ReceivedMail } from '@tollgate/testkit/mail-server';
import type { Gateway } from '../gateway/gateway.js';
import { services } from '../composition/services.js';
import type { MailRoute } from '../background/mail-delivery.js';

export interface PageReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** `{}` if empty. */
  readonly body: JsonObject & { readonly error?: { readonly code: string; readonly message: string; readonly param?: string; readonly errors?: readonly JsonObject[] } };
}

export interface CallParts<Route extends RouteDefinition> {
  readonly params?: ParamsOf<Route>;
  readonly query?: RequestQueryOf<Route>;
  readonly body?: RequestBodyOf<Route>;
  /** Override a browser's headers; `null` omits one. */
  readonly headers?: Readonly<Record<string, string | null>>;
}

interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: string | Buffer;
  readonly headers?: Readonly<Record<string, string | null>>;
}

const PASSWORD = 'correct horse';

/** Keeps cookies, and sends `Host` and `Origin` as pages do. */
export class TestBrowser {
  readonly cookies = new Map<string, string>();

  /** Default: localhost and the gateway's port. */
  constructor(private gateway: Gateway, private readonly origin: string = `http://localhost:${new URL(gateway.url).port}`) {}

  /** Continues with another gateway under the same address. */
  use(gateway: Gateway): void {
    this.gateway = gateway;
  }

  /** Validates successful replies against the contract. */
  async call<const Route extends RouteDefinition>(route: Route, { params, query, body, headers }: CallParts<Route> = {}): Promise<PageReply> {
    const path = Object.entries(params ?? {}).reduce<string>((text, [name, value]) => text.replace(`{${name}}`, encodeURIComponent(String(value))), route.path);
    const search = query === undefined ? '' : `?${new URLSearchParams(query as Record<string, string>).toString()}`;
    const reply = await this.send({
      method: route.method.toUpperCase(), path: `/dashboard/api${path}${search}`, ...(body === undefined ? {} : { body: JSON.stringify(body) }), ...(headers === undefined ? {} : { headers }),
    });
    if (reply.status < 300 && route.reply !== undefined) route.reply.parse(reply.body);
    return reply;
  }

  /** Sends a request with the browser's cookies. */
  send({ method, path, body, headers = {} }: RawRequest): Promise<PageReply> {
    const { hostname, port } = new URL(this.gateway.url);
    const sent: Record<string, string> = { host: new URL(this.origin).host, 'user-agent': 'TestBrowser/1' };
    if (method !== 'GET') sent['origin'] = this.origin;
    if (body !== undefined) sent['content-type'] = 'application/json';
    if (this.cookies.size > 0) sent['cookie'] = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    for (const [name, value] of Object.entries(headers)) {
      if (value === null) delete sent[name];
      else sent[name] = value;
    }
    if (body !== undefined) sent['content-length'] = String(Buffer.byteLength(body));
    return new Promise((resolve, reject) => {
      const req = request({ hostname, port, method, path, headers: sent }, (res) => {
        const chunks: Buffer[] = [];
        res.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject).on('end', () => {
          for (const header of res.headers['set-cookie'] ?? []) this.#keep(header);
          const text = Buffer.concat(chunks).toString();
          const isJson = res.headers['content-type']?.startsWith('application/json') === true;
          resolve({ status: res.statusCode ?? 0, headers: res.headers, text, body: isJson ? JSON.parse(text) as PageReply['body'] : {} });
        });
      });
      req.on('error', reject);
      req.end(body);
    });
  }

  #keep(header: string): void {
    const [pair = ''] = header.split(';', 1);
    const [name = '', value = ''] = pair.split('=');
    if (/; Max-Age=0(?:;|$)/.test(header)) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}

export function textOf({ body }: PageReply, field: string): string {
  const value = body[field];
  if (typeof value !== 'string') throw new Error(`${field} is not a string in ${JSON.stringify(body)}`);
  return value;
}

export interface TestPerson {
  readonly person: Person;
  readonly password: string;
}

/** Adds a person who has verified the address by sign-up and mailed link. */
export async function addPerson({ people, container }: Gateway, email: string, role: PersonRole = 'owner'): Promise<TestPerson> {
  const at = container.get(services.clock).now();
  const read = readPassword(PASSWORD);
  if (read.outcome !== 'read') throw new Error(read.outcome);
  const registered = await people.register({ email, name: 'Ann Example', password: read.password, at });
  if (registered.outcome !== 'created') throw new Error(registered.outcome);
  const issued = await people.issueToken({ personId: registered.id, purpose: 'verify-email', expiresAt: (at + 60_000) as typeof at, at });
  const person = await people.redeem({ purpose: 'verify-email', token: issued?.token ?? '', password: PASSWORD }, at);
  if (person === null) throw new Error('the address could not be verified');
  if (role === 'owner') return { person, password: PASSWORD };
  await people.setRole(person.id, role, { actor: SYSTEM_ACTOR, at });
  return { person: { ...person, role }, password: PASSWORD };
}

export interface SignedInPerson extends TestPerson {
  readonly browser: TestBrowser;
  readonly accountId: AccountId;
}

/** As `addPerson`, signed in by password. */
export async function addSignedIn(gateway: Gateway, email: string, role: PersonRole = 'owner'): Promise<SignedInPerson> {
  const { person, password } = await addPerson(gateway, email, role);
  invariant(person.accountId !== null, 'a verified person has an account');
  const browser = new TestBrowser(gateway);
  const { status, body } = await browser.call(contract.signIn, { body: { email, password } });
  invariant(status === 200, `the sign-in succeeds: ${JSON.stringify(body)}`);
  return { person, password, browser, accountId: person.accountId };
}

const LINK = /http\S+\/dashboard\/([a-z-]+)#token=([A-Za-z0-9_-]+)/;

interface MailedLink {
  readonly page: string;
  readonly token: string;
  readonly text: string;
}

/** A real SMTP server. Close it after the gateways. */
export class TestMailbox {
  /** Messages that were read, by order of arrival. */
  readonly #read = new Set<number>();

  private constructor(private readonly server: MailServer) {}

  static async start(): Promise<TestMailbox> {
    return new TestMailbox(await MailServer.start({ security: 'none' }));
  }

  /** Value for `services.mail`. */
  get route(): MailRoute {
    const { port } = this.server;
    return {
      openTransport: () => openMailTransport({
        kind: 'smtp', host: '127.0.0.1', port, security: 'none', credentials: null, from: { name: 'Tollgate', address: 'tollgate@example.test' },
      }),
      pollMilliseconds: null,
    };
  }

  /** Waits for the oldest unread message to the address, and marks it as read. */
  async next(to: string): Promise<ReceivedMail> {
    let place = -1;
    await until(() => {
      place = this.server.received.findIndex((mail, at) => mail.to.includes(to) && !this.#read.has(at));
      return place !== -1;
    });
    this.#read.add(place);
    const mail = (await this.server.mails())[place];
    if (mail === undefined) throw new Error('the mail server dropped a message that it had received');
    return mail;
  }

  /** Link in the next message to an address. */
  async nextLink(to: string): Promise<MailedLink> {
    const { text, subject } = await this.next(to);
    const [, page, token] = LINK.exec(text) ?? [];
    if (page === undefined || token === undefined) throw new Error(`there is no link in "${subject}"`);
    return { page, token, text };
  }

  /** Subjects of all messages to an address, read and unread. */
  async subjects(to: string): Promise<readonly string[]> {
    return (await this.server.mails()).filter((mail) => mail.to === to).map(({ subject }) => subject);
  }

  close(): Promise<void> {
    return this.server.close();
  }
}
