import type { ModelSlug } from '../ids.js';
import type { IncidentLimit, PlatformSnapshot } from '../platform/platform-snapshot.js';
import type { Instant } from '../time/instant.js';

/** The incident limit of a model, until it expires; `null` where there is none. */
export function incidentInForce({ incidentLimits }: Pick<PlatformSnapshot, 'incidentLimits'>, model: ModelSlug, now: Instant): IncidentLimit | null {
  const incident = incidentLimits.get(model) ?? null;
  return incident === null || hasExpired(incident, now) ? null : incident;
}

export function hasExpired({ expiresAt }: IncidentLimit, now: Instant): boolean {
  return expiresAt !== null && expiresAt <= now;
}
