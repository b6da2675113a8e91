/** Requests that one load process sends over a number of connections. */
export interface HttpLoad {
  readonly kind: 'http';
  readonly connections: number;
  /** Over all connections; `null` sends the next request as soon as the last one is answered. */
  readonly requestsPerSecond: number | null;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Empty for none. `{number}` in it, and in the headers, is another number in each request. */
  readonly body: string;
}

/** Connections that send something unreadable or half a request and keep their side open for ever. */
export interface HalfOpenLoad {
  readonly kind: 'half-open';
  readonly connections: number;
}

export type Load = HttpLoad | HalfOpenLoad;

/** What an attack aims with: the keys of the two customers, of which the attacker's pays as it goes, so that its limits are the lowest. */
export interface Customers {
  readonly attackerKey: string;
  readonly victimKey: string;
}

export interface Attack {
  readonly id: string;
  readonly title: string;
  /** Descriptors that the gateway's process may open; `null` leaves the machine's own limit. */
  readonly descriptorLimit: number | null;
  /** What the attacker aims at for comparison: a server that refuses at once, or one that hashes as many passwords as the gateway does. */
  readonly reference: 'refusing' | 'hashing';
  /** The other customer's p99 stays below so many times what it is beside that server. */
  readonly highestRatio: number;
  /** Settings of the gateway besides those of every siege. */
  readonly environment: Readonly<Record<string, string>>;
  readonly load: (customers: Customers, port: number) => Load;
}

const UNKNOWN_MODEL = 'no-such-model';
/** The model of the siege's own upstream. */
export const MODEL = 'siege-model';

/** A body of 160,000 object keys and 1.8 MB, which takes long to parse and much memory to hold. */
function manyKeysBody(): string {
  const keys = Array.from({ length: 160_000 }, (_, index) => `"k${index.toString(36)}":1`);
  return `{"model":"${UNKNOWN_MODEL}","messages":[{"role":"user","content":"hi"}],"metadata":{${keys.join(',')}}}`;
}

/** A valid body just below 2 MiB that names an unknown model: read, parsed and refused. */
function refusedLargeBody(): string {
  const content = 'The quick brown fox jumps over the lazy dog. '.repeat(220);
  const messages = Array.from({ length: 200 }, () => ({ role: 'user', content }));
  return JSON.stringify({ model: UNKNOWN_MODEL, messages });
}

/** What the other customer sends. */
export function smallBody(): string {
  return JSON.stringify({ model: MODEL, max_tokens: 16, messages: [{ role: 'user', content: 'Hello!' }] });
}

/** A request that the siege's upstream answers with 500, as llama.cpp answers a picture to a text-only model. */
function pictureBody(): string {
  const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } };
  return JSON.stringify({ model: MODEL, max_tokens: 16, messages: [{ role: 'user', content: [{ type: 'text', text: 'What is this?' }, image] }] });
}

const CHAT = '/v1/chat/completions';
const JSON_TYPE = { 'content-type': 'application/json' };
/** Well-formed, and of no account. */
const UNKNOWN_KEY = `sk-${'0'.repeat(48)}`;

function bearer(key: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${key}` };
}

function post(key: string, body: string): Pick<HttpLoad, 'kind' | 'method' | 'path' | 'headers' | 'body'> {
  return { kind: 'http', method: 'POST', path: CHAT, headers: { ...bearer(key), ...JSON_TYPE }, body };
}

const ATTACKS_ON_MODELS: readonly Pick<Attack, 'id' | 'title' | 'descriptorLimit' | 'load'>[] = [
  {
    id: 'half-open',
    title: '290 connections that are refused and never closed by the client, 300 descriptors allowed',
    descriptorLimit: 300,
    load: () => ({ kind: 'half-open', connections: 290 }),
  },
  {
    id: 'many-keys',
    title: '300 connections with bodies of 1.8 MB and 160,000 keys, one key, unknown model',
    descriptorLimit: null,
    load: ({ attackerKey }) => ({ ...post(attackerKey, manyKeysBody()), connections: 300, requestsPerSecond: null }),
  },
  {
    id: 'refused-bodies',
    title: '6 refused bodies of 2 MB a second, one key',
    descriptorLimit: null,
    load: ({ attackerKey }) => ({ ...post(attackerKey, refusedLargeBody()), connections: 6, requestsPerSecond: 6 }),
  },
  {
    id: 'refused-flood',
    title: '50 connections with refused bodies of 2 MB, one key',
    descriptorLimit: null,
    load: ({ attackerKey }) => ({ ...post(attackerKey, refusedLargeBody()), connections: 50, requestsPerSecond: null }),
  },
  {
    id: 'summaries',
    title: '50 connections reading GET /v1/usage/summary, one key',
    descriptorLimit: null,
    load: ({ attackerKey }) => ({
      kind: 'http', method: 'GET', path: '/v1/usage/summary', headers: bearer(attackerKey), body: '', connections: 50, requestsPerSecond: null,
    }),
  },
  {
    id: 'replays',
    title: '50 connections sending one request again under its Idempotency-Key, one key',
    descriptorLimit: null,
    load: ({ attackerKey }) => {
      const request = post(attackerKey, smallBody());
      return { ...request, headers: { ...request.headers, 'idempotency-key': 'siege' }, connections: 50, requestsPerSecond: null };
    },
  },
  {
    id: 'unknown-keys',
    title: '50 connections with a key that is unknown, one address',
    descriptorLimit: null,
    load: () => ({ ...post(UNKNOWN_KEY, smallBody()), connections: 50, requestsPerSecond: null }),
  },
  {
    id: 'pictures',
    title: '2 pictures a second to a model whose server answers them with 500, one key',
    descriptorLimit: null,
    load: ({ attackerKey }) => ({ ...post(attackerKey, pictureBody()), connections: 2, requestsPerSecond: 2 }),
  },
];

const SIGN_UPS: Attack = {
  id: 'sign-ups',
  title: '8 connections signing up, each request from another address and for another person',
  descriptorLimit: null,
  reference: 'hashing',
  highestRatio: 2,
  environment: { TRUST_PROXY: '127.0.0.0/8', SIGN_UP: 'open' },
  load: (_customers, port) => ({
    kind: 'http', method: 'POST', path: '/dashboard/api/auth/sign-up', connections: 8, requestsPerSecond: null, headers: pageHeaders(port),
    body: '{"email":"person-{number}@example.com","name":"Ann Example","password":"correct horse battery"}',
  }),
};

const SIGN_INS: Attack = {
  id: 'sign-ins',
  title: '500 connections signing in with wrong passwords, each request from another address and for another person',
  descriptorLimit: null,
  reference: 'hashing',
  highestRatio: 2,
  environment: { TRUST_PROXY: '127.0.0.0/8' },
  load: (_customers, port) => ({
    kind: 'http', method: 'POST', path: '/dashboard/api/auth/sign-in', connections: 500, requestsPerSecond: null, headers: pageHeaders(port),
    body: '{"email":"person-{number}@example.com","password":"correct horse battery"}',
  }),
};

/** Headers that a page of the dashboard sends, each time from another client of a trusted proxy. */
function pageHeaders(port: number): Readonly<Record<string, string>> {
  return { ...JSON_TYPE, 'host': `localhost:${port}`, 'origin': `http://localhost:${port}`, 'x-forwarded-for': '2001:db8:{number}::1' };
}

/** Everything the siege tries, in the order in which it is tried. */
export const ATTACKS: readonly Attack[] = [
  ...ATTACKS_ON_MODELS.map((attack): Attack => ({ ...attack, reference: 'refusing', highestRatio: 3, environment: {} })),
  SIGN_INS,
  SIGN_UPS,
];
