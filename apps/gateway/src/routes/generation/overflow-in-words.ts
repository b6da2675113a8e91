import { type DecodedRequest, GatewayError, type WireFormat } from '@tollgate/core';

/** The core says by how much a request exceeds the context, and the format in which words. Other failures stay as they are. */
export function overflowInWords(failure: unknown, format: WireFormat, { outputField }: Pick<DecodedRequest, 'outputField'>): unknown {
  if (!(failure instanceof GatewayError) || failure.overflow === null) return failure;
  return failure.inWords(format.describeOverflow(failure.overflow, outputField));
}
