import type { RequestId, RequestTransfer } from '@tollgate/core';

/** Bookings of each request, in order, without amounts of zero. */
export class RequestTransfers {
  readonly #byRequest = new Map<RequestId, RequestTransfer[]>();

  add(requestId: RequestId, transfers: readonly RequestTransfer[]): void {
    const booked = this.#byRequest.get(requestId) ?? [];
    booked.push(...transfers.filter(({ amount }) => !amount.isZero()));
    this.#byRequest.set(requestId, booked);
  }

  of(requestId: RequestId): readonly RequestTransfer[] {
    return this.#byRequest.get(requestId) ?? [];
  }
}
