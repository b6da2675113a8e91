import type { RequestId, RequestTransfer } from '@tollgate/core';

/** What was booked of each request, in the order of booking. Nothing leaves no entry. */
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
