import type { JsonObject } from '@tollgate/core';
import type { ScriptedUpstream } from '@tollgate/testkit';
import { AMPLE_PLAN, catalogueFile, modelEntry, scriptedEntry } from '../../acceptance/support/scripted-catalogue.js';

export const MODEL = 'only-model';
/** Name of `MODEL` at its upstream. */
export const UPSTREAM_MODEL = 'up-only-model';

/** No limit is a multiple of three, so three gateways cannot divide it evenly. */
export const LIMITS = [1, 37, 200] as const;

export function minutePlan(limit: number): string {
  return `minute-${limit}`;
}

export function slotsPlan(limit: number): string {
  return `slots-${limit}`;
}

/** A catalogue with an ample plan, and plans that limit requests per minute or concurrent requests. */
export function sharedCatalogue(upstream: ScriptedUpstream): JsonObject {
  const plans = LIMITS.flatMap((limit) => [
    [minutePlan(limit), { ...AMPLE_PLAN, requests_per_minute: limit }],
    [slotsPlan(limit), { ...AMPLE_PLAN, concurrent_requests: limit }],
  ]);
  return catalogueFile({ scripted: scriptedEntry(upstream) }, { [MODEL]: modelEntry(MODEL) }, Object.fromEntries(plans));
}
