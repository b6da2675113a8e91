import { type BodyOf, contract, type QueryOf, type ReplyOf } from '@tollgate/api-contract';
import {
  type AccountId, type Actor, type ApiKeyId, assertNever, type Block, type BlockTarget, type BlockTerms, formatNetwork, GatewayError, hasExpired, incidentBanner,
  type IncidentLimit, incidentLimitProblem, type Instant, type Maintenance, maintenanceBanner, maintenanceProblem, type ModelSlug,
  tokenCount, type UnblockOutcome,
  parseNetwork,
} from '@tollgate/core';
import { encodeBanner, encodeBlock, encodeMaintenance, encodeRecordedLimit } from '@tollgate/wire-kit';
import { decodeCursor, encodeCursor } from '../call/cursors.js';
import { instantOf, invalidField, operatorText } from '../call/read-fields.js';
import { insideNetworks } from '../../http/inside-networks.js';
import { actorOf, type DashboardCall } from '../call/dashboard-call.js';
import { type DashboardEndpoint, endpoint } from '../call/dashboard-endpoint.js';
import type { DashboardPorts } from '../call/dashboard-ports.js';
import { unknownAddress } from '../call/unknown-address.js';
import { refuseOwnAccount } from './operator-standings.js';

export function blockEndpoints(ports: DashboardPorts): readonly DashboardEndpoint[] {
  return [
    endpoint(contract.listBlocks)(({ query }) => listBlocks(query, ports)),
    endpoint(contract.block)(({ body, call }) => {
      checkNotOwn(targetOf(body.kind, body.subject), call);
      return blockSubject(body, actorOf(call, 'operator'), ports);
    }),
    endpoint(contract.unblock)(({ params: { id }, call }) => endBlock(id, actorOf(call, 'operator'), ports)),
  ];
}

type BlockPorts = Pick<DashboardPorts, 'clock' | 'operations'>;
type BlockBody = BodyOf<typeof contract.block>;

export async function listBlocks({ limit, cursor }: QueryOf<typeof contract.listBlocks>, { operations: { controls }, clock }: BlockPorts) {
  const blocks = await controls.listBlocks({ limit: limit + 1, after: cursor === undefined ? null : blockAt(cursor), now: clock.now() });
  const page = blocks.slice(0, limit);
  const last = blocks.length > limit ? page.at(-1) : undefined;
  const next = last === undefined ? null : encodeCursor([last.blockedAt, last.target.kind, last.target.subject]);
  return { object: 'list' as const, data: page.map(encode), has_more: next !== null, next_cursor: next };
}

function noSuchSubject(kind: BlockBody['kind']): GatewayError {
  if (kind === 'network') return invalidField('subject', 'must be an address or a CIDR range', { code: 'not_a_network' });
  return invalidField('subject', `there is no such ${kind}`, { code: kind === 'key' ? 'unknown_key' : 'unknown_account' });
}

/** Throws a `GatewayError` if the core refuses. */
export async function blockSubject(body: BlockBody, actor: Actor, { operations: { blocklist } }: BlockPorts): Promise<EncodedBlock> {
  const terms: BlockTerms = { reason: operatorText(body.reason, 'reason'), expiresAt: instantOf(body.expires_at) };
  const outcome = await blocklist.block({ target: targetOf(body.kind, body.subject), terms, actor });
  switch (outcome.outcome) {
    case 'blocked': case 'blocked-already': return encode(outcome.block);
    case 'expiry-in-the-past': throw invalidField('expires_at', 'is in the past', { code: 'not_in_future' });
    case 'no-such-subject': throw noSuchSubject(body.kind);
    case 'refused': throw new GatewayError(outcome.code, outcome.message);
    default: return assertNever(outcome);
  }
}

/** Throws `not_found`. */
export async function findBlockOf({ kind, subject }: Pick<BlockBody, 'kind' | 'subject'>, { operations: { controls } }: BlockPorts): Promise<EncodedBlock> {
  const network = kind === 'network' ? parseNetwork(subject) : null;
  const block = await controls.findBlock(targetOf(kind, network === null ? subject : formatNetwork(network)));
  if (block === null) throw unknownAddress();
  return encode(block);
}

/** Throws `not_found` if there is no such block, and a `GatewayError` if the core refuses. */
export async function endBlock(id: string, actor: Actor, { operations: { blocklist } }: BlockPorts): Promise<void> {
  checkUnblocked(await blocklist.unblock(targetNamed(id), actor));
}

export function maintenanceEndpoints(ports: DashboardPorts): readonly DashboardEndpoint[] {
  return [
    ...previewEndpoints(ports),
    endpoint(contract.maintenance)(async () => maintenanceNow(ports)),
    endpoint(contract.setMaintenance)(({ body, call }) => setMaintenance(body, actorOf(call, 'operator'), ports)),
    endpoint(contract.listIncidentLimits)(async () => ({ object: 'list', data: await incidentLimitsInForce(ports), has_more: false })),
    endpoint(contract.setIncidentLimit)(({ body, call }) => setIncidentLimit(body, actorOf(call, 'operator'), ports)),
    endpoint(contract.clearIncidentLimit)(({ params: { model }, call }) => clearIncidentLimit(model, actorOf(call, 'operator'), ports)),
  ];
}

type ControlPorts = Pick<DashboardPorts, 'catalogue' | 'clock' | 'operations' | 'platform'>;

export function maintenanceNow({ platform, clock }: ControlPorts): EncodedMaintenance {
  return encodeMaintenance(platform.current().maintenance, clock.now()) as EncodedMaintenance;
}

export async function setMaintenance(body: BodyOf<typeof contract.setMaintenance>, actor: Actor, ports: ControlPorts): Promise<EncodedMaintenance> {
  const { operations: { controls }, clock } = ports;
  await controls.setMaintenance(maintenanceFrom(body, ports), { actor, at: clock.now() });
  return maintenanceNow(ports);
}

export async function incidentLimitsInForce({ operations: { controls }, clock }: ControlPorts): Promise<readonly EncodedLimit[]> {
  const now = clock.now();
  return (await controls.listIncidentLimits()).filter((limit) => !hasExpired(limit, now)).map((limit) => encodeRecordedLimit(limit) as EncodedLimit);
}

export async function setIncidentLimit(body: BodyOf<typeof contract.setIncidentLimit>, actor: Actor, ports: ControlPorts): Promise<EncodedLimit> {
  const limit = limitFrom(body, ports);
  await ports.operations.controls.setIncidentLimit(limit, { actor, at: ports.clock.now() });
  return encodeRecordedLimit({ ...limit, setBy: actor.id }) as EncodedLimit;
}

/** Throws `not_found` if the model has no incident limit. */
export async function clearIncidentLimit(model: string, actor: Actor, { operations: { controls }, catalogue, clock }: ControlPorts): Promise<void> {
  const slug = catalogue.current().resolve(model)?.slug ?? model as ModelSlug;
  // The model may no longer be in the catalogue, so its limit is cleared by name.
  if (!await controls.clearIncidentLimit(slug, { actor, at: clock.now() })) throw unknownAddress();
}

/** Endpoints that show operators, before the act, what owners will see. */
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

/** Throws `conflict` if the block would lock out the operator who sets it. */
function checkNotOwn({ kind, subject }: BlockTarget, call: DashboardCall): void {
  if (kind === 'account') refuseOwnAccount(call, subject, 'block');
  if (kind === 'network') refuseOwnNetwork(subject, call.exchange.clientAddress);
}

/** Throws `conflict` if the network contains the address. */
export function refuseOwnNetwork(network: string, address: string): void {
  if (holds(network, address)) throw new GatewayError('conflict', 'This network contains your own address. Use the command line to block it anyway.');
}

function checkUnblocked(outcome: UnblockOutcome): void {
  if (outcome.outcome === 'refused') throw new GatewayError(outcome.code, outcome.message);
  if (outcome.outcome === 'not-blocked') throw unknownAddress();
}

type EncodedMaintenance = ReplyOf<typeof contract.maintenance>;
type EncodedLimit = ReplyOf<typeof contract.setIncidentLimit>;

function maintenanceFrom(body: BodyOf<typeof contract.setMaintenance>, { clock }: Pick<DashboardPorts, 'clock'>): Maintenance | null {
  if (body.state === 'off') return null;
  const now = clock.now();
  const maintenance = { startsAt: instantOf(body.from) ?? now, endsAt: instantOf(body.until), message: operatorText(body.message, 'message') };
  const flaw = maintenanceProblem(maintenance, now);
  if (flaw !== null) throw invalidField('until', flaw.message, flaw.problem);
  return maintenance;
}

function limitFrom(body: BodyOf<typeof contract.setIncidentLimit>, { clock, catalogue }: Pick<DashboardPorts, 'catalogue' | 'clock'>): IncidentLimit {
  const model = catalogue.current().resolve(body.model);
  if (model === null) throw invalidField('model', 'there is no such model', { code: 'unknown_model', name: body.model });
  const now = clock.now();
  const tokens = body.tokens_per_minute;
  const limit: IncidentLimit = {
    model: model.slug, setAt: now, requestsPerMinute: body.requests_per_minute, tokensPerMinute: tokens === null ? null : tokenCount(tokens),
    concurrentRequests: body.concurrent_requests, expiresAt: instantOf(body.expires_at),
  };
  const problem = incidentLimitProblem(limit, now);
  if (problem === 'limits-nothing') throw invalidField('requests_per_minute', 'at least one limit is needed', { code: 'no_limit' });
  if (problem === 'expiry-in-the-past') throw invalidField('expires_at', 'is in the past', { code: 'not_in_future' });
  return limit;
}
