import { z } from 'zod';
import { type Contradiction, fallbackContradictions, excludedModelContradictions, targetContradictions } from './check-catalogue.js';

/** What has another form than it must is left out here; the catalogue's schema tells it. */
const names = z.array(z.string().catch('')).catch([]);
const model = z.object({ targets: z.array(z.object({ upstream: z.string().catch('') }).catch({ upstream: '' })).catch([]), fallbacks: names }).catch({ targets: [], fallbacks: [] });
const plan = z.object({ excluded_models: names }).catch({ excluded_models: [] });
const mapOf = <Entry extends z.ZodType>(entry: Entry) => z.record(z.string(), entry).catch({});
const references = z.object({ upstreams: mapOf(z.unknown()), models: mapOf(model), plans: mapOf(plan) })
  .catch({ upstreams: {}, models: {}, plans: {} });

/** References in a catalogue of any form to upstreams and models that it does not have. */
export function danglingReferences(content: unknown): readonly Contradiction[] {
  const entry = references.parse(content);
  const [upstreams, models] = [new Set([...Object.keys(entry.upstreams), '']), new Set([...Object.keys(entry.models), ''])];
  return [
    ...Object.entries(entry.models).flatMap(([slug, { targets, fallbacks }]) => [
      ...targetContradictions(slug, { targets }, upstreams), ...fallbackContradictions(slug, { fallbacks: fallbacks.filter((name) => name !== '') }, models),
    ]),
    ...Object.entries(entry.plans).flatMap(([id, one]) => excludedModelContradictions(id, one, models)),
  ];
}
