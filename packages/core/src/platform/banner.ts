import { hasExpired, type IncidentLimit } from '../limits/incident-limit.js';
import type { Catalogue } from '../models/catalogue.js';
import type { Plan } from '../models/plan.js';
import { grouped } from '../primitives/grouped.js';
import { type Instant, instant } from '../primitives/time.js';
import { type Maintenance, maintenanceStateAt } from './maintenance.js';
import type { PlatformSnapshot } from './platform-snapshot.js';

/** A notice at the top of the dashboard, about current or planned restrictions. */
export interface Banner {
  readonly kind: 'maintenance' | 'incident';
  readonly state: 'planned' | 'on';
  readonly from: Instant;
  /** `null` if unknown. */
  readonly until: Instant | null;
  /** Whole sentences without times: the page adds `from` and `until` in the reader's time zone. */
  readonly text: string;
}

/** Reader of a banner, who sees only the limits of models in this plan. */
export interface BannerReader {
  readonly plan: Plan;
  readonly catalogue: Catalogue;
}

const MAX_NAMED_MODELS = 5;

/** `null` without active or planned maintenance. */
export function maintenanceBanner(maintenance: Maintenance | null, now: Instant): Banner | null {
  const state = maintenanceStateAt(maintenance, now);
  if (maintenance === null || state === 'off') return null;
  const { startsAt: from, endsAt: until, message } = maintenance;
  const fact = state === 'on'
    ? 'The service is in maintenance. Requests are refused with maintenance_mode.'
    : 'Maintenance is planned. While it lasts, requests are refused with maintenance_mode.';
  return { kind: 'maintenance', state, from, until, text: message === null ? fact : `${fact} ${message}` };
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

/** `null` if any limit has no end. */
function lastEnd(limits: readonly IncidentLimit[]): Instant | null {
  const ends = limits.flatMap(({ expiresAt }) => expiresAt ?? []);
  return ends.length < limits.length ? null : instant(Math.max(...ends));
}

/** Lists the models by name; `null` without a limit. */
export function incidentBanner(limits: readonly IncidentLimit[]): Banner | null {
  if (limits.length === 0) return null;
  const sorted = limits.toSorted((one, other) => (one.model < other.model ? -1 : 1));
  const unnamed = sorted.length - MAX_NAMED_MODELS;
  const rest = unnamed > 0 ? [`${grouped(unnamed)} more ${unnamed === 1 ? 'model is' : 'models are'} limited.`] : [];
  return {
    kind: 'incident', state: 'on', from: instant(Math.min(...limits.map(({ setAt }) => setAt))), until: lastEnd(limits),
    text: [...sorted.slice(0, MAX_NAMED_MODELS).map(sentenceOf), ...rest].join(' '),
  };
}

/** Maintenance takes precedence over incident limits. Only limits of models in the reader's plan count. */
export function bannerFor(
  { maintenance, incidentLimits }: Pick<PlatformSnapshot, 'maintenance' | 'incidentLimits'>, { plan, catalogue }: BannerReader, now: Instant,
): Banner | null {
  const concerns = (limit: IncidentLimit): boolean =>
    !hasExpired(limit, now) && catalogue.model(limit.model) !== null && !plan.excludedModels.has(limit.model);
  return maintenanceBanner(maintenance, now) ?? incidentBanner([...incidentLimits.values()].filter(concerns));
}
