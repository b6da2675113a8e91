import type { DatabaseView, Row } from '../books/database-view.js';

/** A reply, as far as it matters for the payment. Amounts are in micro-units. */
export interface Reply {
  /** Number of the purchase, sent as the request's attribution. Repetitions under one `Idempotency-Key` share it. */
  readonly number: number;
  readonly isKeyed: boolean;
  /** Id of the request that is charged; for a replay, of the original request. `null` without headers. */
  readonly requestId: string | null;
  /** `null` without headers. */
  readonly status: number | null;
  /** Error code of the reply; `null` without an error. */
  readonly errorCode: string | null;
  /** Number of pieces if the reply is complete; otherwise 0. */
  readonly delivered: number;
  readonly receipt: { readonly units: bigint; readonly isPending: boolean } | null;
}

interface PaidRequest {
  readonly requestId: string;
  readonly number: number;
  /** Charges minus refunds. */
  readonly paid: bigint;
}

interface PaidAccount {
  readonly account: string;
  readonly credited: bigint;
  readonly paid: bigint;
  readonly balance: bigint;
}

export interface PaidBooks {
  readonly requests: readonly PaidRequest[];
  readonly accounts: readonly PaidAccount[];
}

const PAID = `select e.request_id as request_id, e.debit_account as account, e.amount as amount from ledger_entries e where e.kind in ('charge', 'late-charge')
  union all select substr(e.reference, length('reversal of ') + 1), e.credit_account, -e.amount from ledger_entries e where e.reference like 'reversal of %'`;

/** Queries whose results `paidFrom` reads. */
const PAID_QUERIES = [
  `select u.request_id, u.attribution, coalesce(p.amount, 0) from usage_records u
    left join (select request_id, sum(amount) as amount from (${PAID}) paid group by request_id) p on p.request_id = u.request_id`,
  `select a.id, coalesce(c.amount, 0), coalesce(p.amount, 0), a.balance from accounts a
    left join (select credit_account, sum(amount) as amount from ledger_entries where kind in ('top-up', 'payment') group by credit_account) c on c.credit_account = a.id
    left join (select account, sum(amount) as amount from (${PAID}) paid group by account) p on p.account = a.id`,
] as const;

function units(cell: string | null | undefined): bigint {
  return BigInt(cell ?? '0');
}

export function paidFrom([requests = [], accounts = []]: readonly (readonly Row[])[]): PaidBooks {
  return {
    requests: requests.map(([requestId, number, paid]) => ({ requestId: requestId ?? '', number: Number(number), paid: units(paid) })),
    accounts: accounts.map(([account, credited, paid, balance]) => ({ account: account ?? '', credited: units(credited), paid: units(paid), balance: units(balance) })),
  };
}

export async function readPaid(view: DatabaseView): Promise<PaidBooks> {
  return paidFrom(await view.read(PAID_QUERIES));
}

/** Maximum price of a purchase, by the purchase's number. */
export type MostByNumber = (number: number) => bigint;

/** A charge for which the client got no receipt, because its connection ended first. */
interface CutCharge {
  readonly requestId: string;
  readonly number: number;
  readonly paid: bigint;
}

export interface CustomerFindings {
  readonly violations: readonly string[];
  readonly receipts: number;
  readonly pendingReceipts: number;
  /** Number of replies that must be free: with an error status, or with an error frame about a failure of the gateway's store. */
  readonly freeReplies: number;
  /** Charges without a receipt. Those above the maximum price are violations too. */
  readonly cutCharges: readonly CutCharge[];
  /** Sum by which pending receipts are higher than what was booked. */
  readonly bookedLess: bigint;
}

/** Error codes of frames about a failure of the gateway's store. The responses format uses `server_error`. */
const FREE_FRAMES: readonly (string | null)[] = ['service_unavailable', 'server_error'];

/** True if the request must be free. A stream that the upstream breaks off is not: its error frame has a receipt. */
function isFree({ status, errorCode, receipt }: Reply): boolean {
  return receipt === null && ((status !== null && status >= 400) || FREE_FRAMES.includes(errorCode));
}

function grouped<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): ReadonlyMap<Key, readonly Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) groups.set(keyOf(item), [...groups.get(keyOf(item)) ?? [], item]);
  return groups;
}

function toldBy(replies: readonly Reply[]): Reply['receipt'] {
  const receipts = replies.flatMap(({ receipt }) => (receipt === null ? [] : [receipt]));
  return receipts.find(({ isPending }) => !isPending) ?? receipts[0] ?? null;
}

function wrongRequest(requestId: string, replies: readonly Reply[], paid: bigint): readonly string[] {
  const told = toldBy(replies);
  const amounts = new Set(replies.flatMap(({ receipt }) => (receipt === null ? [] : [receipt.units])));
  const differing = amounts.size > 1 ? [`customer: request ${requestId} has receipts of ${[...amounts].join(' and ')}`] : [];
  if (told === null) {
    const free = replies.find(isFree);
    return free === undefined || paid === 0n ? differing : [...differing, `customer: request ${requestId} was answered ${free.status} ${free.errorCode ?? ''} and paid ${paid}`];
  }
  const isRight = told.isPending ? paid <= told.units : paid === told.units;
  return isRight ? differing : [...differing, `customer: request ${requestId} has a ${told.isPending ? 'pending ' : ''}receipt of ${told.units} and paid ${paid}`];
}

/** All requests with one number, and their replies. */
interface Purchase {
  readonly number: number;
  readonly replies: readonly Reply[];
  readonly requests: readonly PaidRequest[];
  readonly most: bigint;
}

/**
 * What is wrong with the payment for output that was delivered completely; `null` if nothing. `paid` is the sum of all requests under one key, which
 * pay only once.
 */
function unpaidOutput(replies: readonly Reply[], paid: bigint): string | null {
  const delivered = replies.filter((reply) => reply.delivered > 0);
  if (delivered.length === 0) return null;
  if (delivered.some(({ receipt }) => receipt === null)) return 'received output to its end and holds no receipt for it';
  if (!replies.some(({ receipt }) => receipt !== null && receipt.units > 0n)) return 'received output to its end and holds no receipt above zero';
  return paid > 0n ? null : 'received output to its end and paid nothing';
}

function wrongPurchase({ number, replies, requests, most }: Purchase): readonly string[] {
  const paid = requests.reduce((sum, request) => sum + request.paid, 0n);
  const names = requests.map((request) => `${request.requestId} (${request.paid})`).join(', ');
  if (replies.length === 0) return [`customer: ${names} of number ${number} was sent by no client`];
  if (paid > most) return [`customer: the requests of number ${number} paid ${paid} together, of at most ${most}: ${names}`];
  const unpaid = unpaidOutput(replies, paid);
  if (unpaid !== null) return [`customer: number ${number} ${unpaid}: ${names === '' ? 'no request' : names}`];
  if (requests.length > 1 && !replies.some(({ isKeyed }) => isKeyed)) return [`customer: number ${number} was sent once and is in the books as ${names}`];
  return [];
}

function wrongAccount({ account, credited, paid, balance }: PaidAccount): readonly string[] {
  return credited - paid === balance ? [] : [`customer: account ${account} was credited ${credited}, paid ${paid} and has ${balance}`];
}

/**
 * Compares payments with receipts while the database is at rest. Replays count once, and requests under one `Idempotency-Key` are one purchase.
 * Replies with an error status must be free, and complete output must be paid. A charge without a receipt may be at most the price of what the
 * upstream sent.
 */
export function compareWithReceipts(replies: readonly Reply[], { requests, accounts }: PaidBooks, most: MostByNumber): CustomerFindings {
  const repliesByRequest = grouped(replies.filter(({ requestId }) => requestId !== null), ({ requestId }) => requestId ?? '');
  const repliesByNumber = grouped(replies, ({ number }) => number);
  const requestsByNumber = grouped(requests, ({ number }) => number);
  const paidByRequest = new Map(requests.map(({ requestId, paid }) => [requestId, paid]));
  const violations = [
    ...[...repliesByRequest].flatMap(([requestId, ofRequest]) => wrongRequest(requestId, ofRequest, paidByRequest.get(requestId) ?? 0n)),
    ...[...new Set([...repliesByNumber.keys(), ...requestsByNumber.keys()])].flatMap((number) => (
      wrongPurchase({ number, replies: repliesByNumber.get(number) ?? [], requests: requestsByNumber.get(number) ?? [], most: most(number) }))),
    ...accounts.flatMap(wrongAccount),
  ];
  const told = [...repliesByRequest].map(([requestId, ofRequest]) => ({ receipt: toldBy(ofRequest), paid: paidByRequest.get(requestId) ?? 0n }));
  const pending = told.flatMap(({ receipt, paid }) => (receipt?.isPending === true ? [receipt.units - paid] : []));
  return {
    violations,
    receipts: told.filter(({ receipt }) => receipt !== null).length,
    pendingReceipts: pending.length,
    freeReplies: replies.filter(isFree).length,
    cutCharges: requests.filter(({ requestId, paid }) => {
      const ofRequest = repliesByRequest.get(requestId) ?? [];
      return paid > 0n && toldBy(ofRequest) === null && !ofRequest.some(isFree);
    }),
    bookedLess: pending.reduce((sum, less) => sum + (less > 0n ? less : 0n), 0n),
  };
}
