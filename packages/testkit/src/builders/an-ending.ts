import { type Ending, instant, type ModelSlug, NO_USAGE, type Service, tokenCount, type Usage } from '@tollgate/core';
import { aPrice } from './a-model.js';

/** Served by `small`, at one service token per model token of every class. */
export function aService(differences: Partial<Service> = {}): Service {
  return { servedBy: 'small' as ModelSlug, upstreamId: 'scripted', fallbackUsed: false, price: aPrice('1', '1', '1', '1'), ...differences };
}

/** That many tokens of visible output, as the upstream reported them, and nothing else. */
export function outputUsage(outputTokens: number, differences: Partial<Usage> = {}): Usage {
  return { ...NO_USAGE, visibleOutputTokens: tokenCount(outputTokens), source: 'reported', ...differences };
}

/** A normal end a second after noon of 18 November 2026. */
export function anEnding(outputTokens: number, differences: Partial<Ending> = {}): Ending {
  return {
    reason: 'completed',
    service: aService(),
    usage: outputUsage(outputTokens),
    firstOutputAt: null,
    endedAt: instant(Date.UTC(2026, 10, 18, 12, 0, 1)),
    ...differences,
  };
}

/** Nobody served the request. */
export function anUnservedEnding(differences: Partial<Ending> = {}): Ending {
  return anEnding(0, { reason: 'provider_unavailable', service: null, usage: NO_USAGE, ...differences });
}
