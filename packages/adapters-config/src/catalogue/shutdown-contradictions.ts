import type { CatalogueEntry, ModelEntry } from './catalogue-schema.js';
import type { Contradiction } from './contradiction.js';

type Models = CatalogueEntry['models'];

/** True if the successors of a model lead back to it. */
function isInCircle(slug: string, models: Models): boolean {
  const seen = new Set<string>();
  let next = models[slug]?.successor;
  while (next !== undefined && next !== slug && !seen.has(next)) {
    seen.add(next);
    next = models[next]?.successor;
  }
  return next === slug;
}

function contradictionsOf(slug: string, { shutdown_date: date, successor, after_shutdown: after }: ModelEntry, models: Models): readonly Contradiction[] {
  const [path, needsDate] = [['models', slug, 'successor'], date === undefined ? 'needs shutdown_date' : null];
  return [
    ...(needsDate !== null && successor !== undefined ? [{ path, message: needsDate }] : []),
    ...(needsDate !== null && after !== undefined ? [{ path: ['models', slug, 'after_shutdown'], message: needsDate }] : []),
    ...(successor !== undefined && !Object.hasOwn(models, successor) ? [{ path, message: `there is no model ${successor}` }] : []),
    ...(successor !== undefined && isInCircle(slug, models) ? [{ path, message: 'its successors must not lead back to the model' }] : []),
    ...(after === 'successor' && successor === undefined ? [{ path: ['models', slug, 'after_shutdown'], message: 'needs a successor' }] : []),
  ];
}

export function shutdownContradictions({ models }: CatalogueEntry): readonly Contradiction[] {
  return Object.entries(models).flatMap(([slug, model]) => contradictionsOf(slug, model, models));
}
