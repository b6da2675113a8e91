import type { Demand } from './grammar-breach.js';

export type Shape = Readonly<Record<string, unknown>>;

const DECIMAL = /^(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/;

export function isShape(value: unknown): value is Shape {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object in the JSON of a data line. Demands that it is one. */
export function parseShape(json: string, demand: Demand): Shape {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (thrown) {
    demand(false, `its data is no JSON (${String(thrown)})`);
  }
  demand(isShape(value), 'its data must be an object');
  return value;
}

export function demandKeys(shape: Shape, keys: readonly string[], demand: Demand): void {
  const found = Object.keys(shape);
  demand(found.length === keys.length && keys.every((key) => key in shape), `must have exactly the keys ${keys.join(', ')}, not ${found.join(', ')}`);
}

export function demandCounts(shape: Shape, names: readonly string[], demand: Demand): void {
  for (const name of names) demand(Number.isSafeInteger(shape[name]) && Number(shape[name]) >= 0, `${name} must be a count`);
}

/**
 * Names of the gateway's own fields at the end of a stream. `svc_fallback_used` is a boolean; the others are decimal numbers as texts, except
 * `svc_settlement`, which replaces the balance while the settlement is pending.
 */
export function receiptFieldsOf(shape: Shape): readonly string[] {
  return ['svc_tokens_debited', 'svc_cost_usd', 'svc_settlement' in shape ? 'svc_settlement' : 'svc_balance_tokens', 'svc_fallback_used'];
}

export function demandReceipt(shape: Shape, demand: Demand): void {
  for (const name of receiptFieldsOf(shape)) {
    const value = shape[name];
    if (name === 'svc_settlement') demand(value === 'pending', `${name} must be pending`);
    else if (name === 'svc_fallback_used') demand(typeof value === 'boolean', `${name} must be true or false`);
    else demand(typeof value === 'string' && DECIMAL.test(value), `${name} must be a plain decimal string`);
  }
}

/** Demands the error fields that all formats have. */
export function demandError(error: unknown, demand: Demand): asserts error is Shape {
  demand(isShape(error), 'an error must be an object');
  for (const name of ['message', 'type', 'code', 'request_id']) {
    demand(typeof error[name] === 'string' && error[name] !== '', `the error must have a ${name}`);
  }
}
