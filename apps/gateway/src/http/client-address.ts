import type { Request } from 'express';

/**
 * Tells where requests come from. A proxy's word counts only when its network is trusted; without any, what headers say is not
 * even looked at.
 */
export function clientAddressOf(trustedProxies: readonly string[]): (req: Request) => string {
  if (trustedProxies.length === 0) return (req) => req.socket.remoteAddress ?? '';
  return (req) => req.ip ?? '';
}
