import { type BodyOf, contract, type ReplyOf } from '@tollgate/dashboard-contract';
import {
  type AccountId, type ApiKeyId, assertNever, type Block, type BlockTarget, type BlockTerms, GatewayError, hasExpired, incidentBanner,
  type IncidentLimit, incidentLimitProblem, type Instant, type Maintenance, maintenanceBanner, maintenanceProblem, type ModelSlug,
  tokenCount, type UnblockOutcome,
  parseNetwork,
} from '@tollgate/core';
import { encodeBanner, encodeBlock, encodeMaintenance, encodeRecordedLimit } from '@tollgate/wire-kit';
import { decodeCursor, encodeCursor } from '../call/cursors.js';
import { instantOf, invalidField, operatorText } from '../call/read-fields.js';
import { insideNetworks } from '../../http/peer-network.js';
import { actorOf, type DashboardCall } from '../call/dashboard-call.js';
import { type DashboardEndpoint, endpoint } from '../call/dashboard-endpoint.js';
import type { DashboardPorts } from '../call/dashboard-ports.js';
import { unknownAddress } from '../call/unknown-address.js';
import { refuseOwnAccount } from './operator-standings.js';

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
        case 'no-such-subject': throw invalidField('subject', body.kind === 'network' ? 'must be an address or a CIDR range' : `there is no such ${body.kind}`);
        case 'refused': throw new GatewayError(outcome.code, outcome.message);
        default: return assertNever(outcome);
      }
    }),
    endpoint(contract.unblock)(async ({ params: { id }, call }) => checkUnblocked(await blocklist.unblock(targetNamed(id), actorOf(call, 'operator')))),
  ];
}

export function maintenanceEndpoints(ports: DashboardPorts): readonly DashboardEndpoint[] {
  const { operations: { controls }, platform, catalogue, clock } = ports;
  const current = (): EncodedMaintenance => encodeMaintenance(platform.current().maintenance, clock.now()) as EncodedMaintenance;
  return [
    ...previewEndpoints(ports),
    endpoint(contract.maintenance)(async () => current()),
    endpoint(contract.setMaintenance)(async ({ body, call }) => {
      await controls.setMaintenance(maintenanceFrom(body, ports), { actor: actorOf(call, 'operator'), at: clock.now() });
      return current();
    }),
    endpoint(contract.listIncidentLimits)(async () => {
      const now = clock.now();
      const inForce = (await controls.listIncidentLimits()).filter((limit) => !hasExpired(limit, now));
      return { object: 'list', data: inForce.map((limit) => encodeRecordedLimit(limit) as EncodedLimit), has_more: false };
    }),
    endpoint(contract.setIncidentLimit)(async ({ body, call }) => {
      const limit = limitFrom(body, ports);
      const actor = actorOf(call, 'operator');
      await controls.setIncidentLimit(limit, { actor, at: clock.now() });
      return encodeRecordedLimit({ ...limit, setBy: actor.id }) as EncodedLimit;
    }),
    endpoint(contract.clearIncidentLimit)(async ({ params: { model }, call }) => {
      const by = { actor: actorOf(call, 'operator'), at: clock.now() };
      const slug = catalogue.current().resolve(model)?.slug ?? model as ModelSlug;
      // The model may no longer be in the catalogue, so its limit is cleared by name.
      if (!await controls.clearIncidentLimit(slug, by)) throw unknownAddress();
    }),
  ];
}

/** Previews for owners, before the act. */
function previewEndpoints(ports: DashboardPorts): readonly DashboardEndpoint[] {
  return [
    endpoint(contract.previewMaintenance)(async ({ body }) => ({
      object: 'banner_preview', banner: encodeBanner(maintenanceBanner(maintenanceFrom(body, ports), ports.clock.now())),
    })),
    endpoint(contract.previewIncidentLimit)(async ({ body }) => ({ object: 'banner_preview', banner: encodeBanner(incidentBanner([limitFrom(body, ports)])) })),
  ];
}

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

function targetNamed(id: string): BlockTarget {
  if (id.startsWith('acct_')) return targetOf('account', id);
  return targetOf(id.startsWith('key_') ? 'key' : 'network', id);
}

const UNTOLD = { reason: null, blockedBy: null, expiresAt: null };

/** The block at a cursor, with the fields that determine its order. */
function blockAt(cursor: string): Block {
  const [at, kind, subject] = decodeCursor(cursor, ['number', 'string', 'string']);
  if (kind !== 'account' && kind !== 'key' && kind !== 'network') throw invalidField('cursor', 'must be the next_cursor of an earlier page');
  return { target: targetOf(kind, String(subject)), blockedAt: Number(at) as Instant, ...UNTOLD };
}

function holds(network: string, address: string): boolean {
  // The blocklist refuses malformed networks.
  return parseNetwork(network) !== null && insideNetworks([network])(address);
}

/** Throws `conflict` if the block would lock the operators themselves out. */
function checkNotOwn({ kind, subject }: BlockTarget, call: DashboardCall): void {
  if (kind === 'account') refuseOwnAccount(call, subject, 'block');
  if (kind === 'network' && holds(subject, call.exchange.clientAddress)) {
    throw new GatewayError('conflict', 'This network contains your own address. Use the command line to block it anyway.');
  }
}

function checkUnblocked(outcome: UnblockOutcome): void {
  if (outcome.outcome === 'refused') throw new GatewayError(outcome.code, outcome.message);
  if (outcome.outcome === 'not-blocked') throw unknownAddress();
}

type EncodedMaintenance = ReplyOf<typeof contract.maintenance>;
type EncodedLimit = ReplyOf<typeof contract.setIncidentLimit>;

function maintenanceFrom(body: BodyOf<typeof contract.setMaintenance>, { clock }: DashboardPorts): Maintenance | null {
  if (body.state === 'off') return null;
  const now = clock.now();
  const maintenance = { startsAt: instantOf(body.from) ?? now, endsAt: instantOf(body.until), message: operatorText(body.message, 'message') };
  const problem = maintenanceProblem(maintenance, now);
  if (problem !== null) throw invalidField('until', problem);
  return maintenance;
}

function limitFrom(body: BodyOf<typeof contract.setIncidentLimit>, { clock, catalogue }: DashboardPorts): IncidentLimit {
  const model = catalogue.current().resolve(body.model);
  if (model === null) throw invalidField('model', 'there is no such model');
  const now = clock.now();
  const tokens = body.tokens_per_minute;
  const limit: IncidentLimit = {
    model: model.slug, setAt: now, requestsPerMinute: body.requests_per_minute, tokensPerMinute: tokens === null ? null : tokenCount(tokens),
    concurrentRequests: body.concurrent_requests, expiresAt: instantOf(body.expires_at),
  };
  const problem = incidentLimitProblem(limit, now);
  if (problem === 'limits-nothing') throw invalidField('requests_per_minute', 'at least one limit is needed');
  if (problem === 'expiry-in-the-past') throw invalidField('expires_at', 'is in the past');
  return limit;
}
