// A shop that sells service tokens and keeps its own books. It needs Node 20.10 or later and no library; docs/shop.md explains it.
//   POST /customers       {"id": "4711", "email": "dan@example.com", "name": "Dan"}
//   POST /orders          {"id": "1001", "customer": "4711", "svc_tokens": "50"}
//   GET  /customers/4711  the customer with orders and balance
//   POST /customers/4711/dashboard  a link that signs the customer in to the dashboard of Tollgate, once
//   POST /webhooks        for Tollgate: wakes the shop, which then reads the feeds
// Put your own checkout in front of it: every order that it gets counts as paid.
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

const { TOLLGATE_URL = 'http://127.0.0.1:8080', TOLLGATE_MACHINE, WEBHOOK_SECRET, PLAN } = process.env;
const { BOOKS_FILE = 'shop-books.json', SHOP_PORT = '3000', POLL_MILLISECONDS = '10000' } = process.env;

// The books are a JSON file. In your shop they are tables, and `change` is a transaction.
let books = { customers: {}, orders: {}, unanswered: [], accounts: {}, events: null, usage: '' };
if (existsSync(BOOKS_FILE)) books = JSON.parse(readFileSync(BOOKS_FILE, 'utf8'));

/** Stores the changed books as a whole; stores nothing if `make` throws. */
function change(make) {
  const changed = structuredClone(books);
  make(changed);
  writeFileSync(`${BOOKS_FILE}.new`, JSON.stringify(changed, null, 2), { flush: true });
  renameSync(`${BOOKS_FILE}.new`, BOOKS_FILE);
  books = changed;
}

// Amounts are decimal texts with up to six decimal places. Floating-point numbers would not add up.
function sum(...amounts) {
  const micro = amounts.map((amount) => /^(-?)(\d+)(?:\.(\d{1,6}))?$/.exec(amount))
    .reduce((total, [, sign, whole, decimals = '']) => total + BigInt(`${sign}${whole}${decimals.padEnd(6, '0')}`), 0n);
  const digits = String(micro).replace('-', '').padStart(7, '0');
  return `${micro < 0n ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`.replace(/\.?0+$/, '');
}

async function call(path, request = {}) {
  const headers = { 'authorization': `Bearer ${TOLLGATE_MACHINE}`, 'content-type': 'application/json', ...request.headers };
  const reply = await fetch(`${TOLLGATE_URL}/admin/v1${path}`, { ...request, headers, signal: AbortSignal.timeout(10_000) });
  return [reply.status, await reply.json()];
}

// To change something at Tollgate, the shop first stores the request, then sends it under one idempotency key until it is answered.
const REFUSALS = ['invalid_request', 'not_found', 'conflict'];
/** Stores a request unless there is one with this id. Returns its record, which has a status. */
function ask(list, id, { record, path, body }) {
  if (books[list][id] === undefined) {
    change((changed) => {
      changed[list][id] = { id, ...record, status: 'pending' };
      changed.unanswered.push({ list, id, path, body });
    });
    waiting.abort();
  }
  return books[list][id];
}

async function sendUnanswered() {
  while (books.unanswered.length > 0) {
    const { list, id, path, body } = books.unanswered[0];
    const [status, answer] = await call(path, { method: 'POST', headers: { 'idempotency-key': `${list}-${id}` }, body: JSON.stringify(body) });
    const { code, message } = answer.error ?? {};
    if (code !== undefined && !REFUSALS.includes(code)) throw new Error(`${status} ${code}: ${message}`);
    change((changed) => {
      changed[list][id].status = code === undefined ? 'done' : `refused: ${message}`;
      changed.unanswered.shift();
    });
  }
}

// Two feeds tell the shop what happens at Tollgate. It stores their entries together with the cursor, so it enters each entry once.
function accountAfter(changed, id, amount) {
  const account = (changed.accounts[id] ??= { customer: null, sequence: 0, balance: '0' });
  account.balance = sum(account.balance, amount);
  return account;
}

function enterEvent(changed, { type, account_id: id, external_id: customer, account_sequence: sequence, data }) {
  if (id === null) return;
  const account = accountAfter(changed, id, type === 'balance.booked' ? data.amount : '0');
  if (sequence !== account.sequence + 1) throw new Error(`event ${sequence} of ${id} arrived instead of event ${account.sequence + 1}`);
  Object.assign(account, { sequence, customer: customer ?? account.customer });
}
const enterUsage = (changed, { account_id: id, svc_tokens_debited: charge }) => accountAfter(changed, id, `-${charge}`);

async function readFeed(feed, limit, enter) {
  for (let hasMore = true; hasMore;) {
    const after = books[feed] === null ? '' : `&after=${encodeURIComponent(books[feed])}`;
    const [status, page] = await call(`/${feed}?limit=${limit}${after}`);
    if (status !== 200) throw new Error(`${status} ${page.error.code}: ${page.error.message}`);
    if (page.data.length === 0) return;
    change((changed) => {
      for (const entry of page.data) enter(changed, entry);
      changed[feed] = page.next_cursor;
    });
    hasMore = page.has_more;
  }
}

let waiting = new AbortController();
async function work() {
  for (;;) {
    waiting = new AbortController();
    try {
      await sendUnanswered();
      await readFeed('events', 1000, enterEvent);
      await readFeed('usage', 100, enterUsage);
    } catch (thrown) {
      process.stderr.write(`${thrown.message}. The shop tries again.\n`);
    }
    await pause(250); // Stays below the 600 requests a minute of a machine, however many webhooks come.
    await pause(Number(POLL_MILLISECONDS), null, { signal: waiting.signal }).catch(() => {});
  }
}

// A webhook is signed as standardwebhooks.com describes. It only wakes the shop, so a lost or repeated one changes nothing.
function isSigned({ 'webhook-id': id, 'webhook-timestamp': sent, 'webhook-signature': signatures }, body) {
  if (WEBHOOK_SECRET === undefined || Math.abs(Date.now() / 1000 - Number(sent)) > 300) return false;
  const hmac = createHmac('sha256', Buffer.from(WEBHOOK_SECRET.replace('whsec_', ''), 'base64')).update(`${id}.${sent}.${body}`);
  const expected = Buffer.from(`v1,${hmac.digest('base64')}`);
  return signatures.split(' ').map((text) => Buffer.from(text)).some((given) => given.length === expected.length && timingSafeEqual(given, expected));
}

// The endpoints of the shop itself.
const isNumber = (text) => /^\d{1,20}$/.test(text);
async function visit(req) {
  const [page, text] = [`${req.method} ${req.url}`, Buffer.concat(await req.toArray()).toString()];
  if (page === 'POST /webhooks') return isSigned(req.headers, text) ? [202, waiting.abort() ?? {}] : [400, { error: 'This is not signed with WEBHOOK_SECRET.' }];
  const { id, email, name, customer, svc_tokens } = JSON.parse(text || '{}');
  if (page === 'POST /customers' && isNumber(id)) {
    return [202, ask('customers', id, { record: { email, name }, path: '/accounts', body: { external_id: id, email, name, plan: PLAN, email_verified: true } })];
  }
  if (page === 'POST /orders' && isNumber(id) && isNumber(customer)) {
    const body = { svc_tokens, reference: `order-${id}`, reason: `Order ${id}` };
    return [202, ask('orders', id, { record: { customer, svc_tokens }, path: `/accounts/external:${customer}/credits`, body })];
  }
  const [, owner] = /^POST \/customers\/(\d{1,20})\/dashboard$/.exec(page) ?? [];
  if (owner !== undefined) return call(`/accounts/external:${owner}/sign-in-links`, { method: 'POST', headers: { 'idempotency-key': randomUUID() }, body: '{}' });
  const found = Object.values(books.customers).find((one) => page === `GET /customers/${one.id}`);
  if (found === undefined) return [404, { error: 'The shop has no such page.' }];
  const account = Object.values(books.accounts).find((one) => one.customer === found.id);
  return [200, { ...found, balance: account?.balance ?? '0', orders: Object.values(books.orders).filter(({ customer: one }) => one === found.id) }];
}

async function serve(req, res) {
  const [status, body] = await visit(req).catch((thrown) => [400, { error: thrown.message }]);
  res.writeHead(status, { 'content-type': 'application/json' }).end(`${JSON.stringify(body, null, 2)}\n`);
}
const server = createServer((req, res) => void serve(req, res));
server.listen(Number(SHOP_PORT), '127.0.0.1', () => process.stdout.write(`The shop is open at http://127.0.0.1:${server.address().port}\n`));
await work();
