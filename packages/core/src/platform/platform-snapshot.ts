import { GatewayError } from '../errors/gateway-error.js';
import { type Instant, instant, rfc3339, secondsUntil } from '../time.js';
import type { ModelSlug, TokenCount } from '../primitives.js';
import type { PlatformState } from '../ports/operator-controls.js';
import { hasExpired } from '../limits/quota-snapshot.js';
import type { Catalogue } from '../models/catalogue.js';
import type { Plan } from '../models/plan.js';

/** A time in which every request is refused; it begins and ends by itself. */
export interface Maintenance {
  readonly startsAt: Instant;
  /** `null`: until an operator ends it. */
  readonly endsAt: Instant | null;
  /** Public text for the owners of accounts; `null`: the usual words. */
  readonly message: string | null;
}

/** Maintenance with the actor who set it, and when. */
export interface RecordedMaintenance extends Maintenance {
  /** The actor's id; `null` where this was not recorded. */
  readonly setBy: string | null;
  readonly setAt: Instant;
}

export type MaintenanceState = 'off' | 'planned' | 'on';

/** `off` also for maintenance that is over. */
export function maintenanceStateAt(maintenance: Maintenance | null, now: Instant): MaintenanceState {
  if (maintenance === null || (maintenance.endsAt !== null && maintenance.endsAt <= now)) return 'off';
  return maintenance.startsAt <= now ? 'on' : 'planned';
}

const USUAL_MESSAGE = 'Please try again later.';

/** What clients read while it lasts. */
export function maintenanceText({ endsAt, message }: Maintenance): string {
  const until = endsAt === null ? '' : ` until ${rfc3339(endsAt)}`;
  return `The service is in maintenance${until}. ${message ?? USUAL_MESSAGE}`;
}

/** The refusal of a request while it lasts. It tells when to come back where the end is announced. */
export function maintenanceRefusal(maintenance: Maintenance, now: Instant): GatewayError {
  const { endsAt } = maintenance;
  return new GatewayError('maintenance_mode', maintenanceText(maintenance), endsAt === null ? {} : { retryAfterSeconds: secondsUntil(endsAt, now) });
}

/** Why maintenance cannot be set so; `null` when it can. */
export function maintenanceProblem({ startsAt, endsAt }: Maintenance, now: Instant): string | null {
  if (endsAt !== null && endsAt <= now) return 'the end is in the past';
  return endsAt !== null && endsAt <= startsAt ? 'the end is not after the start' : null;
}

/** Longest reason of a block, and longest message of maintenance. */
export const OPERATOR_TEXT_MAXIMUM_CHARACTERS = 500;

/** What is wrong with a reason or a message that an operator gives; `null` when it may be kept and shown. */
export function operatorTextProblem(text: string): string | null {
  if (text.trim() === '') return 'must not be empty';
  if (text.length > OPERATOR_TEXT_MAXIMUM_CHARACTERS) return `must have at most ${OPERATOR_TEXT_MAXIMUM_CHARACTERS} characters`;
  return /\p{Cc}|\p{Cs}|\p{Zl}|\p{Zp}/u.test(text) ? 'must be one line without control characters' : null;
}

/**
 * A limit that an operator sets for one model during a capacity incident; it ends by itself at `expiresAt`.
 * It binds each account beside its plan, and counts the account's requests to this model alone; `null` limits nothing.
 */
export interface IncidentLimit {
  readonly model: ModelSlug;
  /** Together with the model it names the counts: a limit that is set again begins with new ones. */
  readonly setAt: Instant;
  readonly requestsPerMinute: number | null;
  readonly tokensPerMinute: TokenCount | null;
  readonly concurrentRequests: number | null;
  readonly expiresAt: Instant | null;
}

/** An incident limit with the actor who set it. */
export interface RecordedIncidentLimit extends IncidentLimit {
  /** The actor's id; `null` where this was not recorded. */
  readonly setBy: string | null;
}

/** What operators have set. What it comes to depends on the time: see `maintenanceStateAt` and `incidentInForce`. */
export interface PlatformSnapshot {
  /** `null` when none is set; else it may be yet to come, or over. */
  readonly maintenance: RecordedMaintenance | null;
  readonly incidentLimits: ReadonlyMap<ModelSlug, IncidentLimit>;
  /** When the first of the blocks ends that end by themselves; `null` when none does. */
  readonly nextBlockEndsAt: Instant | null;
  /** Takes IPv4, IPv6 and IPv4-mapped forms alike. While any network is blocked, an address that cannot be read counts as blocked. */
  readonly isNetworkBlocked: (address: string, now: Instant) => boolean;
}

/** The two refusals that need no key: maintenance, then a blocked network. */
export function checkPlatform(platform: PlatformState, clientAddress: string, now: Instant): void {
  const { maintenance } = platform.current();
  if (maintenance !== null && maintenanceStateAt(maintenance, now) === 'on') throw maintenanceRefusal(maintenance, now);
  checkNetwork(platform, clientAddress, now);
}

/** The refusal of a blocked network alone. */
export function checkNetwork(platform: PlatformState, clientAddress: string, now: Instant): void {
  if (platform.current().isNetworkBlocked(clientAddress, now)) {
    throw new GatewayError('ip_blocked', 'Requests from this network are not accepted.');
  }
}

/** Why an incident limit cannot be set so; `null` when it can. */
export function incidentLimitProblem(limit: IncidentLimit, now: Instant): 'limits-nothing' | 'expiry-in-the-past' | null {
  const { requestsPerMinute, tokensPerMinute, concurrentRequests, expiresAt } = limit;
  if (requestsPerMinute === null && tokensPerMinute === null && concurrentRequests === null) return 'limits-nothing';
  return expiresAt !== null && expiresAt <= now ? 'expiry-in-the-past' : null;
}

/** What the pages of the dashboard show on top while the service is restricted, or is going to be. */
export interface Banner {
  readonly kind: 'maintenance' | 'incident';
  readonly state: 'planned' | 'on';
  readonly from: Instant;
  /** `null`: until an operator ends it. */
  readonly until: Instant | null;
  /** Whole sentences without times: a page shows `from` and `until` beside them, in the reader's zone. */
  readonly text: string;
}

/** Whose banner it is: limits of models outside the plan do not concern them. */
export interface BannerReader {
  readonly plan: Plan;
  readonly catalogue: Catalogue;
}

/** Models that one banner names. */
const MOST_NAMED_MODELS = 5;

/** The banner of a maintenance that is on or planned; `null` when it is off or over. */
export function maintenanceBanner(maintenance: Maintenance | null, now: Instant): Banner | null {
  const state = maintenanceStateAt(maintenance, now);
  if (maintenance === null || state === 'off') return null;
  const { startsAt: from, endsAt: until, message } = maintenance;
  const fact = state === 'on'
    ? 'The service is in maintenance. Requests are refused with maintenance_mode.'
    : 'Maintenance is planned. While it lasts, requests are refused with maintenance_mode.';
  return { kind: 'maintenance', state, from, until, text: message === null ? fact : `${fact} ${message}` };
}

/** In groups of three digits. */
function grouped(count: number): string {
  return count.toString().replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}

function limited(count: number | null, what: string, each: string): readonly string[] {
  return count === null ? [] : [`${grouped(count)} ${what}${count === 1 ? '' : 's'} ${each}`];
}

function sentenceOf({ model, requestsPerMinute, tokensPerMinute, concurrentRequests }: IncidentLimit): string {
  const limits = [
    ...limited(requestsPerMinute, 'request', 'a minute'), ...limited(tokensPerMinute, 'token', 'a minute'), ...limited(concurrentRequests, 'request', 'at a time'),
  ];
  return `The model ${model} is limited for now: ${limits.join(', ')}.`;
}

/** When the last of them ends; `null` where one has no end of its own. */
function lastEnd(limits: readonly IncidentLimit[]): Instant | null {
  const ends = limits.flatMap(({ expiresAt }) => expiresAt ?? []);
  return ends.length < limits.length ? null : instant(Math.max(...ends));
}

/** The banner of incident limits that are in force, ordered by model; `null` without any. */
export function incidentBanner(limits: readonly IncidentLimit[]): Banner | null {
  if (limits.length === 0) return null;
  const sorted = limits.toSorted((one, other) => (one.model < other.model ? -1 : 1));
  const unnamed = sorted.length - MOST_NAMED_MODELS;
  const rest = unnamed > 0 ? [`${grouped(unnamed)} more ${unnamed === 1 ? 'model is' : 'models are'} limited.`] : [];
  return {
    kind: 'incident', state: 'on', from: instant(Math.min(...limits.map(({ setAt }) => setAt))), until: lastEnd(limits),
    text: [...sorted.slice(0, MOST_NAMED_MODELS).map(sentenceOf), ...rest].join(' '),
  };
}

/** What an owner sees now: maintenance, or else the incident limits on models of their plan. */
export function bannerFor(
  { maintenance, incidentLimits }: Pick<PlatformSnapshot, 'maintenance' | 'incidentLimits'>, { plan, catalogue }: BannerReader, now: Instant,
): Banner | null {
  const concerns = (limit: IncidentLimit): boolean =>
    !hasExpired(limit, now) && catalogue.model(limit.model) !== null && !plan.excludedModels.has(limit.model);
  return maintenanceBanner(maintenance, now) ?? incidentBanner([...incidentLimits.values()].filter(concerns));
}
