import { GatewayError } from '../errors/gateway-error.js';
import type { Catalogue } from '../models/catalogue.js';
import type { ModelSlug } from '../primitives/ids.js';

/** Accepts slugs and aliases; `null` stands for all models. Throws `invalid_request` for an empty list and for unknown names. */
export function resolveKeyModels(names: readonly string[] | null, catalogue: Catalogue): ReadonlySet<ModelSlug> | null {
  if (names === null) return null;
  if (names.length === 0) throw new GatewayError('invalid_request', 'A key needs at least one model.', { param: 'models', faults: [{ field: 'models', message: 'must name at least one model', problem: { code: 'too_few', minimum: 1 } }] });
  return new Set(names.map((name) => {
    const model = catalogue.resolve(name);
    if (model === null) throw new GatewayError('invalid_request', `There is no model ${name}.`, { param: 'models', faults: [{ field: 'models', message: `there is no model ${name}`, problem: { code: 'unknown_model', name } }] });
    return model.slug;
  }));
}
