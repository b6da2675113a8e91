import { contract, type ReplyOf } from '@tollgate/dashboard-contract';
import { type AccountId, type ApiKeyId, assertNever, type Block, type BlockTarget, type BlockTerms, GatewayError, type Instant, type UnblockOutcome } from '@tollgate/core';
import { encodeBlock } from '@tollgate/wire-kit';
import { decodeCursor, encodeCursor } from '../../call/cursor.js';
import { insideNetworks } from '../../../http/peer-network.js';
import { actorOf, type DashboardCall } from '../../call/dashboard-call.js';
import type { DashboardPorts } from '../../call/dashboard-ports.js';
import { type DashboardEndpoint, endpoint } from '../../call/endpoint.js';
import { instantOf, invalidField, operatorText } from '../../call/operator-input.js';
import { unknownAddress } from '../../middleware/admit-visitor.js';
import { refuseOwnAccount } from '../accounts/standing-endpoints.js';

type EncodedBlock = ReplyOf<typeof contract.block>;

function encode(block: Block): EncodedBlock {
  return encodeBlock(block) as EncodedBlock;
}

function targetOf(kind: BlockTarget['kind'], subject: string): BlockTarget {
  switch (kind) {
    case 'account': return { kind, subject: subject as AccountId };
    case 'key': return { kind, subject: subject as ApiKeyId };
    case 'network': return { kind, subject };
    default: return assertNever(kind);
  }
}

/** What the id of a block names. */
function targetNamed(id: string): BlockTarget {
  if (id.startsWith('acct_')) return targetOf('account', id);
  return targetOf(id.startsWith('key_') ? 'key' : 'network', id);
}

const UNTOLD = { reason: null, blockedBy: null, expiresAt: null };

/** The block that the page before ended with, as far as the order goes. */
function blockAt(cursor: string): Block {
  const [at, kind, subject] = decodeCursor(cursor, ['number', 'string', 'string']);
  if (kind !== 'account' && kind !== 'key' && kind !== 'network') throw invalidField('cursor', 'is no cursor of this list');
  return { target: targetOf(kind, String(subject)), blockedAt: Number(at) as Instant, ...UNTOLD };
}

function holds(network: string, address: string): boolean {
  try {
    return insideNetworks([network])(address);
  } catch {
    // What is no network is refused by the blocklist.
    return false;
  }
}

/** Operators would shut themselves out. Throws `conflict`. */
function checkNotOwn({ kind, subject }: BlockTarget, call: DashboardCall): void {
  if (kind === 'account') refuseOwnAccount(call, subject, 'block');
  if (kind === 'network' && holds(subject, call.exchange.clientAddress)) {
    throw new GatewayError('conflict', 'Your own address is in this network. The command line can block it.');
  }
}

function checkUnblocked(outcome: UnblockOutcome): void {
  if (outcome.outcome === 'refused') throw new GatewayError(outcome.code, outcome.message);
  if (outcome.outcome === 'not-blocked') throw unknownAddress();
}

/** Lists, makes and ends blocks. */
export function blockEndpoints({ operations: { controls, blocklist }, clock }: DashboardPorts): readonly DashboardEndpoint[] {
  return [
    endpoint(contract.listBlocks)(async ({ query: { limit, cursor } }) => {
      const blocks = await controls.listBlocks({ limit: limit + 1, after: cursor === undefined ? null : blockAt(cursor), now: clock.now() });
      const page = blocks.slice(0, limit);
      const last = blocks.length > limit ? page.at(-1) : undefined;
      const next = last === undefined ? null : encodeCursor([last.blockedAt, last.target.kind, last.target.subject]);
      return { object: 'list', data: page.map(encode), has_more: next !== null, next_cursor: next };
    }),
    endpoint(contract.block)(async ({ body, call }) => {
      const terms: BlockTerms = { reason: operatorText(body.reason, 'reason'), expiresAt: instantOf(body.expires_at) };
      const target = targetOf(body.kind, body.subject);
      checkNotOwn(target, call);
      const outcome = await blocklist.block({ target, terms, actor: actorOf(call, 'operator') });
      switch (outcome.outcome) {
        case 'blocked': case 'blocked-already': return encode(outcome.block);
        case 'expiry-in-the-past': throw invalidField('expires_at', 'is in the past');
        case 'no-such-subject': throw invalidField('subject', body.kind === 'network' ? 'is no address and no CIDR range' : `there is no such ${body.kind}`);
        case 'refused': throw new GatewayError(outcome.code, outcome.message);
        default: return assertNever(outcome);
      }
    }),
    endpoint(contract.unblock)(async ({ params: { id }, call }) => checkUnblocked(await blocklist.unblock(targetNamed(id), actorOf(call, 'operator')))),
  ];
}
