// A shop that sells service tokens and keeps its own books. It needs Node 18 or later and no library; docs/shop.md explains it.
//
//   POST /customers       {"id": "4711", "email": "carol@example.com", "name": "Carol"}
//   POST /orders          {"id": "1001", "customer": "4711", "svc_tokens": "50"}
//   GET  /customers/4711  the customer with orders and balance
//
// Put your own checkout in front of it: every order that it gets counts as paid.
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

const { TOLLGATE_URL = 'http://127.0.0.1:8080', TOLLGATE_MACHINE, PLAN, BOOKS_FILE = 'shop-books.json', SHOP_PORT = '3000', POLL_MILLISECONDS = '1000' } = process.env;

// The books are a JSON file. In your shop they are tables, and `change` is a transaction.
let books = { customers: {}, orders: {}, unanswered: [], accounts: {}, events: null, usage: '' };
if (existsSync(BOOKS_FILE)) books = JSON.parse(readFileSync(BOOKS_FILE, 'utf8'));

/** Stores the whole change, or nothing of it if it throws. */
function change(make) {
  const changed = structuredClone(books);
  make(changed);
  const file = openSync(`${BOOKS_FILE}.new`, 'w');
  writeFileSync(file, JSON.stringify(changed, null, 2));
  fsyncSync(file);
  closeSync(file);
  renameSync(`${BOOKS_FILE}.new`, BOOKS_FILE);
  books = changed;
}

// Amounts are decimal texts with up to six decimal places. Floating-point numbers would not add up.

function microTokens(amount) {
  const [, sign, whole, decimals = ''] = /^(-?)(\d+)(?:\.(\d{1,6}))?$/.exec(amount);
  return BigInt(`${sign}${whole}${decimals.padEnd(6, '0')}`);
}

function sum(amount, other) {
  const micro = microTokens(amount) + microTokens(other);
  const digits = String(micro).replace('-', '').padStart(7, '0');
  return `${micro < 0n ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`.replace(/\.?0+$/, '');
}

async function call(path, request = {}) {
  const headers = { 'authorization': `Bearer ${TOLLGATE_MACHINE}`, 'content-type': 'application/json', ...request.headers };
  const reply = await fetch(`${TOLLGATE_URL}/admin/v1${path}`, { ...request, headers, signal: AbortSignal.timeout(10_000) });
  return { status: reply.status, body: await reply.json() };
}

// Changes at Tollgate: the shop stores a request first, then sends it until it is answered, under the same key.

const REFUSALS = ['invalid_request', 'not_found', 'conflict'];

/** Does nothing for an id that the shop has. */
function ask(list, id, { record, path, body }) {
  if (books[list][id] !== undefined) return;
  change((changed) => {
    changed[list][id] = { id, ...record, status: 'pending' };
    changed.unanswered.push({ list, id, path, body });
  });
}

async function sendUnanswered() {
  while (books.unanswered.length > 0) {
    const { list, id, path, body } = books.unanswered[0];
    const answer = await call(path, { method: 'POST', headers: { 'idempotency-key': `${list}-${id}` }, body: JSON.stringify(body) });
    const { code, message } = answer.body.error ?? {};
    if (code !== undefined && !REFUSALS.includes(code)) throw new Error(`${answer.status} ${code}: ${message}`);
    change((changed) => {
      changed[list][id].status = code === undefined ? 'done' : `refused: ${message}`;
      changed.unanswered.shift();
    });
  }
}

// What happens at Tollgate: two feeds. Their entries are stored together with the cursor, so each is entered once.

const accountIn = (changed, id) => (changed.accounts[id] ??= { customer: null, sequence: 0, balance: '0' });

function enterEvent(changed, { type, account_id: id, external_id: customer, account_sequence: sequence, data }) {
  if (id === null) return;
  const account = accountIn(changed, id);
  if (sequence !== account.sequence + 1) throw new Error(`event ${sequence} of ${id} follows event ${account.sequence}`);
  Object.assign(account, { sequence, customer: customer ?? account.customer });
  if (type === 'balance.booked') account.balance = sum(account.balance, data.amount);
}

function enterUsage(changed, { account_id: id, svc_tokens_debited: charge }) {
  const account = accountIn(changed, id);
  account.balance = sum(account.balance, `-${charge}`);
}

/** Continues a feed to its end. */
async function readFeed(feed, limit, enter) {
  for (let hasMore = true; hasMore;) {
    const after = books[feed] === null ? '' : `&after=${encodeURIComponent(books[feed])}`;
    const { status, body: page } = await call(`/${feed}?limit=${limit}${after}`);
    if (status !== 200) throw new Error(`${status} ${page.error.code}: ${page.error.message}`);
    if (page.data.length === 0) return;
    change((changed) => {
      for (const entry of page.data) enter(changed, entry);
      changed[feed] = page.next_cursor;
    });
    hasMore = page.has_more;
  }
}

async function work() {
  for (;;) {
    try {
      await sendUnanswered();
      await readFeed('events', 1000, enterEvent);
      await readFeed('usage', 100, enterUsage);
    } catch (thrown) {
      process.stderr.write(`${thrown.message}. The shop tries again.\n`);
    }
    await pause(Number(POLL_MILLISECONDS));
  }
}

// The shop's own pages.
const isNumber = (text) => /^\d{1,20}$/.test(text);
function visit(page, { id, email, name, customer, svc_tokens }) {
  if (page === 'POST /customers' && isNumber(id)) {
    ask('customers', id, { record: { email, name }, path: '/accounts', body: { external_id: id, email, name, plan: PLAN, email_verified: true } });
    return [202, books.customers[id]];
  }
  if (page === 'POST /orders' && isNumber(id) && isNumber(customer)) {
    const body = { svc_tokens, reference: `order-${id}`, reason: `Order ${id}` };
    ask('orders', id, { record: { customer, svc_tokens }, path: `/accounts/external:${customer}/credits`, body });
    return [202, books.orders[id]];
  }
  const found = Object.values(books.customers).find((one) => page === `GET /customers/${one.id}`);
  if (found === undefined) return [404, { error: 'The shop has no such page.' }];
  const account = Object.values(books.accounts).find((one) => one.customer === found.id);
  return [200, { ...found, balance: account?.balance ?? '0', orders: Object.values(books.orders).filter(({ customer: one }) => one === found.id) }];
}

async function serve(req, res) {
  let [text, status, body] = ['', 400, {}];
  try {
    for await (const chunk of req) text += chunk;
    [status, body] = visit(`${req.method} ${req.url}`, JSON.parse(text || '{}'));
  } catch (thrown) {
    body = { error: thrown.message };
  }
  res.writeHead(status, { 'content-type': 'application/json' }).end(`${JSON.stringify(body, null, 2)}\n`);
}
const server = createServer((req, res) => void serve(req, res));
server.listen(Number(SHOP_PORT), '127.0.0.1', () => process.stdout.write(`The shop is open at http://127.0.0.1:${server.address().port}\n`));
await work();
