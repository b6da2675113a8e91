import type { HttpLoad, UploadLoad } from '../loads/load.js';
import type { Target } from '../installation/target.js';
import { type Arms, type Attack, attack, bearer, BEHIND_PROXY, JSON_TYPE, requests } from './attack.js';

const UNKNOWN_MODEL = 'no-such-model';
export const MODEL = 'siege-model';

/** A body of 1.8 MB with 160,000 object keys, which are slow to parse and need much memory. */
function manyKeysBody(): string {
  const keys = Array.from({ length: 160_000 }, (_, index) => `"k${index.toString(36)}":1`);
  return `{"model":"${UNKNOWN_MODEL}","messages":[{"role":"user","content":"hi"}],"metadata":{${keys.join(',')}}}`;
}

/** A body of almost 2 MiB for an unknown model, so that it is read, parsed and refused. */
function refusedLargeBody(): string {
  const content = 'The quick brown fox jumps over the lazy dog. '.repeat(220);
  const messages = Array.from({ length: 200 }, () => ({ role: 'user', content }));
  return JSON.stringify({ model: UNKNOWN_MODEL, messages });
}

/** Words in a prompt that tell the siege's model server what to do. */
export const RESET_WORD = 'siege-reset';
export const LONG_WORD = 'siege-long';
export const HOLD_WORD = 'siege-hold';

function smallBody(content = 'Hello!'): string {
  return JSON.stringify({ model: MODEL, max_tokens: 16, messages: [{ role: 'user', content }] });
}

/** A body to which the model server answers 500, as llama.cpp does if a text-only model gets a picture. */
function pictureBody(): string {
  const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } };
  return JSON.stringify({ model: MODEL, max_tokens: 16, messages: [{ role: 'user', content: [{ type: 'text', text: 'What is this?' }, image] }] });
}

const CHAT = '/v1/chat/completions';
const RESPONSES = '/v1/responses';
/** A key that is well-formed, but unknown. */
const UNKNOWN_KEY = `sk-${'0'.repeat(48)}`;
const MEBIBYTE = 1_048_576;
/** Limit of a pay-as-you-go account, and of an address, in units of unbilled work per minute. */
const UNBILLED_UNITS = 600;
/** Limit of a private address, which may be a proxy of many clients, in units of unbilled work per minute. */
const UNBILLED_UNITS_OF_PROXY = 10 * UNBILLED_UNITS;
/** Requests that may exceed the limit: one per connection, 50 to each of two gateways, which share their counts only when a request ends. */
const AT_THE_SAME_TIME = 100;
const MAX_BODY = 2 * MEBIBYTE;

/** Load of the other customer: small requests at a fixed rate. */
export function smallRequests({ customers }: Pick<Target, 'customers'>): HttpLoad {
  return requests({
    method: 'POST', path: CHAT, headers: { ...bearer(customers.victimKey), ...JSON_TYPE }, connections: 8, requestsPerSecond: 40, bodies: [smallBody()],
  });
}

/** At least the tokens that the gateway counts for the longer body of `smallAndMediumRequests`. */
export const MEDIUM_TOKENS = 28_300;

/** Small requests, but every fifth has a text of 100 KB. A minute of them fits the customer's plan, so an attack may have any duration. */
export function smallAndMediumRequests(target: Pick<Target, 'customers'>): HttpLoad {
  const content = 'The quick brown fox jumps over the lazy dog. '.repeat(2200);
  return { ...smallRequests(target), bodies: [smallBody(), smallBody(), smallBody(), smallBody(), smallBody(content)] };
}

/** A load in which each connection sends its next request when the last one has its reply. */
function flood(key: string, connections: number, body: string): HttpLoad {
  return requests({ method: 'POST', path: CHAT, headers: { ...bearer(key), ...JSON_TYPE }, connections, bodies: [body] });
}

/** An attack by a single load, which needs only the customers' keys. */
function simple(own: Pick<Attack, 'id' | 'title'> & Partial<Attack>, load: (target: Target) => Arms['attackers'][number]): Attack {
  return attack({ ...own, arm: (target) => Promise.resolve({ attackers: [load(target)], victim: smallRequests(target) }) });
}

const ONE_KEY: readonly Attack[] = [
  simple({
    id: 'half-open', title: '290 connections that are refused and never closed by the client, 300 descriptors allowed', descriptorLimit: 300, refusesConnections: true,
  }, () => ({ kind: 'half-open', connections: 290 })),
  simple({ id: 'many-keys', title: '300 connections with bodies of 1.8 MB and 160,000 keys, one key, unknown model' },
    ({ customers }) => flood(customers.attackerKey, 300, manyKeysBody())),
  simple({ id: 'refused-bodies', title: '6 refused bodies of 2 MB a second, one key' },
    ({ customers }) => ({ ...flood(customers.attackerKey, 6, refusedLargeBody()), requestsPerSecond: 6 })),
  simple({ id: 'refused-flood', title: '50 connections with refused bodies of 2 MB, one key' },
    ({ customers }) => flood(customers.attackerKey, 50, refusedLargeBody())),
  simple({ id: 'summaries', title: '50 connections reading GET /v1/usage/summary, one key' },
    ({ customers }) => requests({ method: 'GET', path: '/v1/usage/summary', headers: bearer(customers.attackerKey), connections: 50 })),
  simple({ id: 'replays', title: '50 connections sending one request again under its Idempotency-Key, one key' }, ({ customers }) => {
    const load = flood(customers.attackerKey, 50, smallBody());
    return { ...load, headers: { ...load.headers, 'idempotency-key': 'siege' } };
  }),
  simple({ id: 'unknown-keys', title: '50 connections with a key that is unknown, one address' }, () => flood(UNKNOWN_KEY, 50, smallBody())),
  simple({ id: 'pictures', title: '2 pictures a second to a model whose server answers them with 500, one key' },
    ({ customers }) => ({ ...flood(customers.attackerKey, 2, pictureBody()), requestsPerSecond: 2 })),
];

const CLIENT_ADDRESS = '2001:db8:{number}::1';
const ONE_48 = '2001:db8:1:{number}::1';

function uploads(own: Pick<UploadLoad, 'connections' | 'path' | 'headers' | 'keys' | 'bytesPerSecond'> & Partial<UploadLoad>): UploadLoad {
  return { kind: 'uploads', announcedBytes: MAX_BODY, ...own };
}

export function addresses(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `203.0.113.${index + 1}`);
}

/** An attack by uploads of accounts that have paid nothing. */
function unpaidUploads(id: string, title: string, bytesPerSecond: number): Attack {
  return attack({
    id, title, reference: 'reading',
    arm: async (target) => ({
      attackers: [uploads({ connections: 32, path: CHAT, headers: { ...bearer('{key}'), ...JSON_TYPE }, keys: await target.keysOfAccounts(8, { credit: '0' }), bytesPerSecond })],
      victim: smallAndMediumRequests(target),
    }),
  });
}

/** Attacks by several accounts, networks or keys, or with another load of the other customer. */
const MANY_CLIENTS: readonly Attack[] = [
  unpaidUploads('slow-uploads', '32 uploads of 2 MiB at 16.5 KiB/s each, eight accounts without a balance', 16_900),
  unpaidUploads('silent-uploads', '32 uploads that announce 2 MiB and send nothing, eight accounts without a balance', 0),
  attack({
    id: 'stranger-uploads', title: '1,024 uploads of 64 KiB at 7 KiB/s each to the sign-in, each from another network', reference: 'reading', environment: BEHIND_PROXY,
    arm: (target) => Promise.resolve({
      attackers: [uploads({
        connections: 1024, path: '/dashboard/api/auth/sign-in', headers: target.pageHeaders(CLIENT_ADDRESS), keys: [], announcedBytes: 65_536, bytesPerSecond: 7168,
      })],
      victim: smallAndMediumRequests(target),
    }),
  }),
  attack({
    id: 'stored-references', title: '300 connections with refused requests of 1 KB that name 16 stored texts of 125 KB, two accounts',
    arm: async (target) => {
      const keys = [target.customers.attackerKey, ...await target.keysOfAccounts(1, { credit: '1000' })];
      const bodies: string[] = [];
      for (const key of keys) bodies.push(await referringBody(target, key));
      return {
        attackers: keys.map((key, index) => requests({
          method: 'POST', path: RESPONSES, headers: { ...bearer(key), ...JSON_TYPE }, connections: 150, bodies: bodies.slice(index, index + 1),
        })),
        victim: smallRequests(target),
      };
    },
  }),
  attack({
    id: 'idle-connections', title: '2,000 connections that send nothing while 1,000 descriptors are allowed; each request of the other customer opens a connection',
    descriptorLimit: 1000,
    arm: (target) => Promise.resolve({
      attackers: [{ kind: 'idle', connections: 2000, request: '' }],
      victim: { ...smallRequests(target), reconnects: true },
    }),
  }),
  attack({
    id: 'kept-connections', title: '2,000 connections kept open after a health check while 1,000 descriptors are allowed; each request of the other customer opens a connection',
    descriptorLimit: 1000,
    arm: (target) => Promise.resolve({
      attackers: [{ kind: 'idle', connections: 2000, request: 'GET /healthz HTTP/1.1\r\nhost: siege\r\n\r\n' }],
      victim: { ...smallRequests(target), reconnects: true },
    }),
  }),
  attack({
    id: 'busy-connections', environment: BEHIND_PROXY, descriptorLimit: 1000,
    title: '1,200 uploads that announce 64 KiB and send nothing, from twenty addresses, while 1,000 descriptors are allowed; each request of the other customer opens a connection',
    arm: (target) => {
      const victim = smallRequests(target);
      return Promise.resolve({
        attackers: [uploads({
          connections: 1200, path: '/dashboard/api/auth/sign-in', headers: { ...target.pageHeaders(''), 'x-forwarded-for': '{key}' }, keys: addresses(20), announcedBytes: 65_536, bytesPerSecond: 0,
        })],
        victim: { ...victim, headers: { ...victim.headers, 'x-forwarded-for': '198.51.100.9' }, reconnects: true },
      });
    },
  }),
  attack({
    id: 'forged-proxies', mostUnlimited: UNBILLED_UNITS_OF_PROXY, title: '50 connections with a key that is unknown and a forged X-Forwarded-For, one address',
    arm: (target) => {
      const load = flood(UNKNOWN_KEY, 50, smallBody());
      return Promise.resolve({ attackers: [{ ...load, headers: { ...load.headers, 'x-forwarded-for': CLIENT_ADDRESS } }], victim: smallRequests(target) });
    },
  }),
  attack({
    id: 'keys-in-turns', mostUnlimited: UNBILLED_UNITS + AT_THE_SAME_TIME, title: '50 connections with refused requests, five keys of one account in turns', grounds: ['sqlite', 'shared'],
    arm: async (target) => ({
      attackers: [{ ...flood('{key}', 50, JSON.stringify({ model: UNKNOWN_MODEL, messages: [] })), keys: await target.keysOfAttacker(4).then((keys) => [...keys, target.customers.attackerKey]) }],
      victim: smallRequests(target),
    }),
  }),
  attack({
    id: 'held-generations', environment: BEHIND_PROXY, descriptorLimit: 1000,
    title: '600 connections with 200 paid requests a second from one /48 network that the model server answers after four seconds, ten accounts, 1,000 descriptors allowed; each request of the other customer opens a connection',
    arm: async (target) => {
      const victim = smallRequests(target);
      const load = flood('{key}', 600, smallBody(HOLD_WORD));
      return {
        attackers: [{ ...load, requestsPerSecond: 200, headers: { ...load.headers, 'x-forwarded-for': ONE_48 }, keys: await target.keysOfAccounts(10, { plan: 'business', credit: '1000000' }) }],
        victim: { ...victim, headers: { ...victim.headers, 'x-forwarded-for': '198.51.100.9' }, reconnects: true },
      };
    },
  }),
  attack({
    id: 'paid-flood', title: '50 connections with 40 paid requests a second, five accounts', grounds: ['sqlite', 'shared'],
    arm: async (target) => ({
      attackers: [{ ...flood('{key}', 50, smallBody()), requestsPerSecond: 40, keys: await target.keysOfAccounts(5, { plan: 'business', credit: '1000000' }) }],
      victim: smallRequests(target),
    }),
  }),
  attack({
    id: 'resets', title: '45 requests a second whose connection the model server resets, one key; the other customer sends 5 requests a second',
    arm: async (target) => {
      const [key = ''] = await target.keysOfAccounts(1, { plan: 'business', credit: '1000' });
      const body = JSON.stringify({ model: MODEL, max_tokens: 16, messages: [{ role: 'user', content: RESET_WORD }] });
      return { attackers: [{ ...flood(key, 20, body), requestsPerSecond: 45 }], victim: { ...smallRequests(target), requestsPerSecond: 5 } };
    },
  }),
];

export const MODEL_ATTACKS: readonly Attack[] = [...ONE_KEY, ...MANY_CLIENTS];

/** Stores 16 responses; returns an invalid request that refers to all of them. */
async function referringBody(target: Target, key: string): Promise<string> {
  const ids: string[] = [];
  for (let index = 0; index < 16; index += 1) {
    const { text } = await target.post(RESPONSES, bearer(key), { model: MODEL, input: LONG_WORD, max_output_tokens: 64_000 });
    const { output } = JSON.parse(text) as { readonly output: readonly { readonly id: string }[] };
    ids.push(...output.map(({ id }) => id));
  }
  return JSON.stringify({ model: UNKNOWN_MODEL, input: ids.map((id) => ({ type: 'item_reference', id })) });
}
