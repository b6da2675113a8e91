import { GatewayError } from './gateway-error.js';

/** The store does not answer, or refuses for reasons of its own. The operation may have taken effect or not. */
export class StoreUnavailable extends Error {
  override readonly name: string = 'StoreUnavailable';

  constructor(cause: unknown, what = 'the store is not available') {
    super(`${what}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** The store this process opened is no longer the one at its place: what is written to it would be lost. */
export class StoreLost extends Error {
  override readonly name = 'StoreLost';
}

/** A refusal because of the store; nothing has been done. */
export function storeRefusal(cause: unknown): GatewayError {
  return new GatewayError('service_unavailable', 'The service cannot reach its own records at the moment. Please try again.', { cause });
}

/** The ledger did not take a settlement and nothing could queue it. The request is free: what took effect all the same is reversed. */
export class SettlementRefused extends StoreUnavailable {
  override readonly name = 'SettlementRefused';
}

/** Whether this says that the store of this process is lost. */
export function isStoreLost(thrown: unknown): boolean {
  return thrown instanceof GatewayError && thrown.cause instanceof StoreLost;
}

/** Passes a `GatewayError` on, tells when the store is away, and hides anything else behind `internal_error`. */
export function toGatewayError(thrown: unknown): GatewayError {
  if (thrown instanceof GatewayError) return thrown;
  if (thrown instanceof StoreUnavailable) return storeRefusal(thrown);
  return new GatewayError('internal_error', 'The service failed to handle this request. Please try again.', { cause: thrown });
}
